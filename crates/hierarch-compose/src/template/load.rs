//! Where templates come from that others include, import or extend.

use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use hierarch_pcore::Str;
use hierarch_source::Source;

use super::fault::{Checked, Fault};
use super::issues;
use super::parser;
use super::renderer::{Renderer, Template};
use super::settings::TemplateSettings;
use super::value::Val;
use crate::expr::issues as limits;

impl Renderer {
    /// Loads a template by its name, once.
    pub(super) fn load(&mut self, name: &Val) -> Checked<Rc<Template>> {
        let Val::Text(text) = name else {
            self.present(name)?;
            return Err(issues::template_name_needed(super::show::type_name(name)));
        };
        let name = text.text.clone();
        if let Some(known) = self.loaded.get(name.as_str()) {
            return Ok(Rc::clone(known));
        }
        let (path, text) = self.read(&name)?;
        self.budget.take(text.len())?;
        let source = Source::new(path.display().to_string(), text);
        // Line breaks at the end of what is included are dropped, as in Ansible.
        let settings =
            TemplateSettings { keep_trailing_newline: false, ..TemplateSettings::clone(&self.settings) };
        let parsed =
            parser::parse(source.text(), &settings, false).map_err(|fault| fault.within(&source, 0))?;
        let template = Rc::new(Template { name: Some(name.clone()), source, offset: 0, parsed });
        self.loaded.insert(name.to_string(), Rc::clone(&template));
        Ok(template)
    }

    fn read(&mut self, name: &Str) -> Checked<(PathBuf, String)> {
        let world = &self.scope.world;
        if world.safe {
            return Err(limits::function_unsafe(name).into());
        }
        let relative = Path::new(name.as_str());
        let plain = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
        if name.is_empty() || !relative.components().all(plain) {
            return Err(issues::template_not_found(name, &[]));
        }
        let folders = world.host.template_folders();
        let mut refused = None;
        for folder in &folders {
            let path = folder.join(relative);
            match world.host.read(&path) {
                Ok(bytes) => {
                    let text = String::from_utf8(bytes).map_err(|_| issues::template_no_text(name))?;
                    return Ok((path, text));
                }
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => refused = refused.or(Some(Fault::from(limits::file_error(&path, &error)))),
            }
        }
        Err(refused.unwrap_or_else(|| issues::template_not_found(name, &folders)))
    }
}
