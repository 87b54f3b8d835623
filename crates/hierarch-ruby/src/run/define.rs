//! Definitions of methods, classes and modules.

use std::rc::Rc;
use std::sync::Arc;

use super::constant::path_in;
use super::{Frame, Res, Vm};
use crate::syntax::tree::{Body, Define, Expression, Kind};
use crate::value::class::{Callable, Code, Lexical, Visibility};
use crate::value::procs::Context;
use crate::value::{ClassRef, Env, Sym, Value, names};

impl Vm<'_> {
    /// Evaluates `def`.
    pub(super) fn eval_define(&mut self, env: &Rc<Env>, define: &Arc<Define>) -> Res {
        let context = &env.context;
        let code = Rc::new(Code {
            define: Arc::clone(define),
            lexical: Rc::clone(&context.lexical),
            file: Arc::clone(&context.file),
        });
        let name = define.name;
        if let Some(on) = &define.on {
            let on = self.eval(env, on)?;
            let class = self.singleton_class(&on)?;
            self.define(&class, name, Visibility::Public, Callable::Code(code));
            return Ok(Value::Sym(name));
        }
        let class = Rc::clone(&context.definee);
        self.check_frozen(&Value::Class(Rc::clone(&class)))?;
        self.may_define(&class, name)?;
        let visibility = match name {
            names::INITIALIZE | names::INITIALIZE_COPY | names::RESPOND_TO_MISSING => Visibility::Private,
            _ if context.module_function.get() => Visibility::Private,
            _ => context.visibility.get(),
        };
        self.define(&class, name, visibility, Callable::Code(Rc::clone(&code)));
        if context.module_function.get() {
            let singleton = self.singleton_of_class(&class);
            self.define(&singleton, name, Visibility::Public, Callable::Code(code));
        }
        self.method_added(&class, name)?;
        Ok(Value::Sym(name))
    }

    fn method_added(&mut self, class: &ClassRef, name: Sym) -> Res<()> {
        let value = Value::Class(Rc::clone(class));
        let singleton = self.class_of(&value);
        if let Some(hook) = self.find_method(&singleton, names::METHOD_ADDED)
            && !matches!(hook.body, Callable::Builtin(_))
        {
            self.send(&value, names::METHOD_ADDED, &[Value::Sym(name)])?;
        }
        Ok(())
    }

    /// Evaluates `class`.
    pub(super) fn eval_class(
        &mut self,
        env: &Rc<Env>,
        path: &Expression,
        superclass: Option<&Expression>,
        body: &Arc<Body>,
    ) -> Res {
        self.at_line(path.line);
        let (scope, name) = self.place_of(env, path)?;
        let above = match superclass {
            Some(node) => Some(self.superclass(env, node)?),
            None => None,
        };
        let existing = self.reopened(env, path, &scope, name)?;
        let class = match existing {
            Some(Value::Class(class)) if !class.is_module => {
                self.check_superclass(&class, above.as_ref(), name)?;
                class
            }
            Some(_) => return Err(self.raise("TypeError", format!("{name} is not a class"))),
            None => self.make_class(&scope, name, above)?,
        };
        self.run_class_body(env, class, body)
    }

    fn superclass(&mut self, env: &Rc<Env>, node: &Expression) -> Res<ClassRef> {
        match self.eval(env, node)? {
            Value::Class(class) if !class.is_module => Ok(class),
            other => {
                let name = self.class_name(&other);
                Err(self.raise(
                    "TypeError",
                    format!("superclass must be an instance of Class (given an instance of {name})"),
                ))
            }
        }
    }

    fn check_superclass(&mut self, class: &ClassRef, above: Option<&ClassRef>, name: Sym) -> Res<()> {
        let Some(above) = above else { return Ok(()) };
        let same = class.superclass.borrow().as_ref().is_some_and(|old| Rc::ptr_eq(old, above));
        if same {
            Ok(())
        } else {
            Err(self.raise("TypeError", format!("superclass mismatch for class {name}")))
        }
    }

    fn make_class(&mut self, scope: &ClassRef, name: Sym, above: Option<ClassRef>) -> Res<ClassRef> {
        let above = above.unwrap_or_else(|| self.class("Object"));
        let class = self.new_class(Some(path_in(scope, name)), false, Some(Rc::clone(&above)));
        scope.constants.borrow_mut().insert(name, Value::Class(Rc::clone(&class)));
        self.inherited(&above, &class)?;
        Ok(class)
    }

    /// Calls the hook of the superclass.
    pub(crate) fn inherited(&mut self, above: &ClassRef, class: &ClassRef) -> Res<()> {
        let above = Value::Class(Rc::clone(above));
        self.send(&above, names::INHERITED, &[Value::Class(Rc::clone(class))])?;
        Ok(())
    }

    /// Evaluates `module`.
    pub(super) fn eval_module(&mut self, env: &Rc<Env>, path: &Expression, body: &Arc<Body>) -> Res {
        self.at_line(path.line);
        let (scope, name) = self.place_of(env, path)?;
        let module = match self.reopened(env, path, &scope, name)? {
            Some(Value::Class(module)) if module.is_module => module,
            Some(_) => return Err(self.raise("TypeError", format!("{name} is not a module"))),
            None => {
                let module = self.new_class(Some(path_in(&scope, name)), true, None);
                scope.constants.borrow_mut().insert(name, Value::Class(Rc::clone(&module)));
                module
            }
        };
        self.run_class_body(env, module, body)
    }

    /// Evaluates `class << x`.
    pub(super) fn eval_singleton(&mut self, env: &Rc<Env>, of: &Expression, body: &Arc<Body>) -> Res {
        let of = self.eval(env, of)?;
        let class = self.singleton_class(&of)?;
        self.run_class_body(env, class, body)
    }

    /// Returns where a class is to be put, and its name there.
    fn place_of(&mut self, env: &Rc<Env>, path: &Expression) -> Res<(ClassRef, Sym)> {
        match &path.kind {
            Kind::ConstantIn(None, name) => Ok((self.class("Object"), *name)),
            Kind::ConstantIn(Some(scope), name) => match self.eval(env, scope)? {
                Value::Class(class) => Ok((class, *name)),
                other => {
                    let shown = self.inspect(&other)?;
                    Err(self.raise("TypeError", format!("{shown} is not a class/module")))
                }
            },
            Kind::Constant(name) => Ok((Rc::clone(&env.context.lexical.module), *name)),
            _ => Err(self.unsupported("class")),
        }
    }

    /// Finds the class that is opened again.
    fn reopened(
        &mut self,
        env: &Rc<Env>,
        path: &Expression,
        scope: &ClassRef,
        name: Sym,
    ) -> Res<Option<Value>> {
        let _ = (env, path);
        self.own_constant(scope, name)
    }

    fn run_class_body(&mut self, env: &Rc<Env>, class: ClassRef, body: &Arc<Body>) -> Res {
        self.step()?;
        if self.is_too_deep() {
            return Err(self.raise("SystemStackError", "stack level too deep"));
        }
        let lexical =
            Rc::new(Lexical { module: Rc::clone(&class), outer: Some(Rc::clone(&env.context.lexical)) });
        let me = Value::Class(Rc::clone(&class));
        let context: Rc<Context> =
            Rc::new(self.context_of(me, &lexical, class, Arc::clone(&env.context.file)));
        let line = self.frames.last().map_or(1, |frame| frame.line);
        let home = self.number();
        let env = Rc::new(Env::new(body.locals.len(), None, Rc::clone(&context), home, 0));
        self.frames.push(Frame { context, line });
        let result = self.eval(&env, &body.body);
        self.frames.pop();
        result
    }

    /// Evaluates `alias`.
    pub(super) fn eval_alias(&mut self, env: &Rc<Env>, new: &Expression, old: &Expression) -> Res {
        let (Value::Sym(new), Value::Sym(old)) = (self.eval(env, new)?, self.eval(env, old)?) else {
            return Ok(Value::Nil);
        };
        let class = Rc::clone(&env.context.definee);
        self.alias_method(&class, new, old)?;
        Ok(Value::Nil)
    }

    /// Gives a method a second name.
    pub fn alias_method(&mut self, class: &ClassRef, new: Sym, old: Sym) -> Res<()> {
        let found = match self.find_method(class, old) {
            None if class.is_module => {
                let object = self.class("Object");
                self.find_method(&object, old)
            }
            found => found,
        };
        let Some(method) = found else {
            let kind = if class.is_module { "module" } else { "class" };
            let shown = class.shown();
            return Err(self.raise("NameError", format!("undefined method `{old}' for {kind} `{shown}'")));
        };
        self.may_define(class, new)?;
        self.define(class, new, method.visibility, method.body.clone());
        Ok(())
    }

    /// Evaluates `undef`.
    pub(super) fn eval_undefine(&mut self, env: &Rc<Env>, names: &[Expression]) -> Res {
        for node in names {
            if let Value::Sym(name) = self.eval(env, node)? {
                let class = Rc::clone(&env.context.definee);
                self.undefine(&class, name)?;
            }
        }
        Ok(Value::Nil)
    }

    /// Makes a class not answer to a method any more.
    pub fn undefine(&mut self, class: &ClassRef, name: Sym) -> Res<()> {
        if self.find_method(class, name).is_none() {
            let kind = if class.is_module { "module" } else { "class" };
            let shown = class.shown();
            return Err(self.raise("NameError", format!("undefined method `{name}' for {kind} `{shown}'")));
        }
        self.may_define(class, name)?;
        self.epoch += 1;
        class.methods.borrow_mut().insert(name, None);
        Ok(())
    }
}
