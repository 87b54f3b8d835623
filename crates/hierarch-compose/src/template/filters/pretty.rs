//! `pprint`: values over several lines, as Python's `pprint` writes them.

use super::super::call::{Function, function};
use super::super::fault::Checked;
use super::super::renderer::Renderer;
use super::super::value::Val;

pub(super) static FILTERS: &[Function] = &[function("pprint", &["value"], |renderer, given| {
    let mut out = String::new();
    Pretty { renderer }.write(given.value(0), &mut out, 0, 0, 0)?;
    renderer.text(out)
})];

const WIDTH: usize = 80;

struct Pretty<'r> {
    renderer: &'r mut Renderer,
}

impl Pretty<'_> {
    /// Writes a value behind `indent` columns, with room for what follows it.
    fn write(
        &mut self,
        value: &Val,
        out: &mut String,
        indent: usize,
        after: usize,
        depth: usize,
    ) -> Checked<()> {
        self.renderer.budget.fits_depth(depth)?;
        let value = self.renderer.plain_data(value)?;
        let value = self.sorted(&value)?;
        let line = self.renderer.shown(&value)?;
        self.renderer.fits(out.len().saturating_add(line.len()))?;
        if line.chars().count() + indent + after <= WIDTH {
            out.push_str(&line);
            return Ok(());
        }
        match &value {
            Val::List(list) => {
                let items = list.items.borrow().clone();
                self.items(&items, ["[", "]"], out, indent, after, depth)
            }
            Val::Tuple(list) => {
                let items = list.items.borrow().clone();
                let close = if items.len() == 1 { ",)" } else { ")" };
                self.items(&items, ["(", close], out, indent, after, depth)
            }
            Val::Dict(_) => self.pairs(&value, out, indent, after, depth),
            _ => {
                out.push_str(&line);
                Ok(())
            }
        }
    }

    /// Returns a map with its keys in order, where they have one.
    fn sorted(&mut self, value: &Val) -> Checked<Val> {
        let Val::Dict(dict) = value else { return Ok(value.clone()) };
        let mut pairs = dict.pairs.borrow().clone();
        let texts = pairs.values().all(|(key, _)| key.as_text().is_some());
        if texts {
            pairs.sort_by(|_, (a, _), _, (b, _)| a.as_text().cmp(&b.as_text()));
        }
        self.renderer.dict(pairs)
    }

    fn items(
        &mut self,
        items: &[Val],
        ends: [&str; 2],
        out: &mut String,
        indent: usize,
        after: usize,
        depth: usize,
    ) -> Checked<()> {
        out.push_str(ends[0]);
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                out.push_str(",\n");
                out.push_str(&" ".repeat(indent + 1));
            }
            let last = index + 1 == items.len();
            self.write(item, out, indent + 1, if last { after + ends[1].len() } else { 1 }, depth + 1)?;
        }
        out.push_str(ends[1]);
        Ok(())
    }

    fn pairs(
        &mut self,
        map: &Val,
        out: &mut String,
        indent: usize,
        after: usize,
        depth: usize,
    ) -> Checked<()> {
        let pairs = self.renderer.pairs(map)?.unwrap_or_default();
        out.push('{');
        for (index, (key, value)) in pairs.iter().enumerate() {
            if index > 0 {
                out.push_str(",\n");
                out.push_str(&" ".repeat(indent + 1));
            }
            let key = self.renderer.shown(key)?;
            out.push_str(&key);
            out.push_str(": ");
            let last = index + 1 == pairs.len();
            let room = if last { after + 1 } else { 1 };
            self.write(value, out, indent + key.chars().count() + 3, room, depth + 1)?;
        }
        out.push('}');
        Ok(())
    }
}
