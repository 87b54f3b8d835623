//! Pages made of several templates: which blocks they have, what `self` and `super` are, and what an import gives.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use hierarch_pcore::Str;
use rustc_hash::FxHashMap;

use super::fault::Checked;
use super::issues;
use super::object::{CallArguments, Object};
use super::output::Output;
use super::renderer::{Renderer, Template};
use super::tree::Block;
use super::value::Val;

/// How many templates may extend one another.
const MOST_PARENTS: usize = 100;

/// Blocks of one name, each with the template that it stands in.
type Definitions = Vec<(Rc<Block>, Rc<Template>)>;

/// What is rendered together: a template and those it extends.
pub(super) struct Page {
    /// For each name its blocks, those of the template that extends first.
    blocks: RefCell<FxHashMap<Str, Definitions>>,
    /// The frame of the names that the templates themselves set.
    pub(super) frame: usize,
    parent: RefCell<Option<Rc<Template>>>,
    parents: Cell<usize>,
    name: Option<Str>,
}

impl Page {
    pub(super) fn new(template: &Rc<Template>, frame: usize) -> Self {
        let page = Self {
            blocks: RefCell::default(),
            frame,
            parent: RefCell::default(),
            parents: Cell::new(0),
            name: template.name.clone(),
        };
        page.add(template);
        page
    }

    fn add(&self, template: &Rc<Template>) {
        let mut blocks = self.blocks.borrow_mut();
        for block in &template.parsed.blocks {
            blocks.entry(block.name.clone()).or_default().push((Rc::clone(block), Rc::clone(template)));
        }
    }

    fn find(&self, name: &str, level: usize) -> Option<(Rc<Block>, Rc<Template>)> {
        self.blocks.borrow().get(name)?.get(level).cloned()
    }

    fn has(&self, name: &str) -> bool {
        self.blocks.borrow().contains_key(name)
    }
}

impl Renderer {
    /// Says that the page goes on with another template.
    pub(super) fn extend(&mut self, template: Rc<Template>) -> Checked<()> {
        let page = Rc::clone(&self.page);
        if page.parent.borrow().is_some() {
            return Err(issues::extended_twice());
        }
        page.parents.set(page.parents.get() + 1);
        if page.parents.get() > MOST_PARENTS {
            return Err(issues::recursion(MOST_PARENTS));
        }
        page.add(&template);
        *page.parent.borrow_mut() = Some(template);
        Ok(())
    }

    /// Renders a template that is a page of its own, in the frame that is open.
    pub(super) fn page_of(&mut self, template: &Rc<Template>, out: &mut Output) -> Checked<()> {
        let frame = self.capture();
        let page = std::mem::replace(&mut self.page, Rc::new(Page::new(template, frame)));
        let before = std::mem::replace(&mut self.template, Rc::clone(template));
        let muted = std::mem::replace(&mut out.muted, false);
        let result = self.nested(|renderer| renderer.whole(out));
        out.muted = muted;
        self.page = page;
        let inner = std::mem::replace(&mut self.template, before);
        result.map_err(|fault| fault.within(&inner.source, inner.offset))
    }

    /// Renders the template and then those that it extends.
    pub(super) fn whole(&mut self, out: &mut Output) -> Checked<()> {
        let first = Rc::clone(&self.template);
        self.assign_self();
        self.body(&first.parsed.body, out)?;
        loop {
            let Some(parent) = self.page.parent.borrow_mut().take() else { return Ok(()) };
            out.muted = false;
            let before = std::mem::replace(&mut self.template, Rc::clone(&parent));
            let result = self.body(&parent.parsed.body, out);
            let inner = std::mem::replace(&mut self.template, before);
            result.map_err(|fault| fault.within(&inner.source, inner.offset))?;
        }
    }

    fn assign_self(&mut self) {
        let page = Rc::clone(&self.page);
        self.assign(&"self".into(), Val::Object(Rc::new(Itself { page })));
    }

    /// Prints a block: the one of the template that extends, or one further up.
    pub(super) fn block(&mut self, name: &Str, level: usize, below: usize, out: &mut Output) -> Checked<()> {
        let page = Rc::clone(&self.page);
        let Some((block, template)) = page.find(name, level) else { return Err(issues::no_block(name)) };
        if block.required {
            return Err(issues::required_block(name));
        }
        let before = self.here;
        self.enter_below(Some(below));
        let above = Super { page, name: name.clone(), level: level + 1 };
        self.assign(&"super".into(), above.value());
        let outer = std::mem::replace(&mut self.template, template);
        let muted = std::mem::replace(&mut out.muted, false);
        let result = self.nested(|renderer| renderer.body(&block.body, out));
        out.muted = muted;
        let inner = std::mem::replace(&mut self.template, outer);
        self.leave(before)?;
        result.map(drop).map_err(|fault| {
            let elsewhere = !Rc::ptr_eq(&inner, &self.template);
            if elsewhere { fault.within(&inner.source, inner.offset) } else { fault }
        })
    }

    fn block_value(&mut self, page: &Rc<Page>, name: &Str, level: usize) -> Checked<Val> {
        let before = std::mem::replace(&mut self.page, Rc::clone(page));
        let mut out = Output::default();
        let result = self.block(name, level, page.frame, &mut out);
        self.page = before;
        result?;
        // As in Jinja2, what a block gives when it is called is its text, which is made of texts only.
        if out.has_values {
            return Err(issues::block_of_values(name));
        }
        let text = out.into_text_of(self)?;
        self.text(text)
    }
}

/// `self`: its attributes are the page's blocks.
struct Itself {
    page: Rc<Page>,
}

impl Object for Itself {
    fn type_name(&self) -> &'static str {
        "TemplateReference"
    }

    fn shown(&self, _: &mut Renderer) -> Checked<String> {
        let name = self.page.name.as_ref().map_or("None".into(), |name| crate::expr::python::quoted(name));
        Ok(format!("<TemplateReference {name}>"))
    }

    fn attribute(&self, _: &mut Renderer, name: &str) -> Checked<Option<Val>> {
        let found = self.page.has(name);
        let block = || Super { page: Rc::clone(&self.page), name: name.into(), level: 0 };
        Ok(found.then(|| block().value()))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A block that can be called: `super`, or an attribute of `self`.
struct Super {
    page: Rc<Page>,
    name: Str,
    level: usize,
}

impl Super {
    fn value(self) -> Val {
        match self.page.find(&self.name, self.level) {
            Some(_) => Val::Object(Rc::new(self)),
            None => Val::undefined(issues::no_parent_block(&self.name)),
        }
    }
}

impl Object for Super {
    fn type_name(&self) -> &'static str {
        "BlockReference"
    }

    fn shown(&self, _: &mut Renderer) -> Checked<String> {
        Ok(format!("<BlockReference '{}'>", self.name))
    }

    fn attribute(&self, _: &mut Renderer, name: &str) -> Checked<Option<Val>> {
        let above = || Self { page: Rc::clone(&self.page), name: self.name.clone(), level: self.level + 1 };
        Ok((name == "super").then(|| above().value()))
    }

    fn is_callable(&self) -> bool {
        true
    }

    fn call(&self, renderer: &mut Renderer, _: CallArguments) -> Checked<Val> {
        renderer.block_value(&self.page, &self.name, self.level)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// What `import` gives: the names that a template sets.
pub(super) struct Module {
    pub(super) name: Option<Str>,
    pub(super) names: Vec<(Str, Val)>,
    pub(super) text: String,
}

impl Object for Module {
    fn type_name(&self) -> &'static str {
        "TemplateModule"
    }

    fn shown(&self, _: &mut Renderer) -> Checked<String> {
        let name = self.name.as_deref().unwrap_or("memory");
        Ok(format!("<TemplateModule {}>", crate::expr::python::quoted(name)))
    }

    fn printed(&self, renderer: &mut Renderer) -> Checked<String> {
        renderer.fits(self.text.len())?;
        Ok(self.text.clone())
    }

    fn attribute(&self, _: &mut Renderer, name: &str) -> Checked<Option<Val>> {
        Ok(self.names.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone()))
    }

    fn held(&self) -> Vec<Val> {
        self.names.iter().map(|(_, value)| value.clone()).collect()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
