//! What `Resolv` and `Net::HTTP` ask the host for; they themselves are written in Ruby.

use hierarch_source::{Page, PageRequest};

use crate::core::{Builtin, ClassSpec, m};
use crate::issues;
use crate::run::{Args, Flow, Res, Vm};
use crate::value::Value;

pub(super) static CLASSES: &[&ClassSpec] =
    &[&ClassSpec { singleton: &[METHODS], ..ClassSpec::module("HierarchNetwork") }];

static METHODS: &[Builtin] = &[m("records", 3, 3, records), m("page", 5, 5, page)];

/// What is called in Ruby, the name and the kind of records.
fn records(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let (call, name, kind) = (vm.to_s(&args.at(0))?, vm.to_s(&args.at(1))?, vm.to_s(&args.at(2))?);
    let found = match vm.host.network() {
        Some(network) => network.records(&name, &kind),
        None => return Err(refused(vm, &call)),
    };
    let found = found.map_err(|reason| vm.raise("SocketError", reason))?;
    let found = found.into_iter().map(|record| vm.str(record)).collect();
    Ok(vm.array(found))
}

/// What is called in Ruby, the method, the address, the headers and what is sent.
fn page(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let call = vm.to_s(&args.at(0))?;
    let mut request = PageRequest {
        method: vm.to_s(&args.at(1))?.to_string(),
        url: vm.to_s(&args.at(2))?.to_string(),
        ..PageRequest::default()
    };
    for pair in vm.elements(&args.at(3))? {
        let pair = vm.elements(&pair)?;
        if let [name, value] = &pair[..] {
            request.headers.push((vm.to_s(name)?.to_string(), vm.to_s(value)?.to_string()));
        }
    }
    if !args.at(4).is_nil() {
        request.body = vm.to_s(&args.at(4))?.to_string().into_bytes();
    }
    let answer = match vm.host.network() {
        Some(network) => network.page(&request),
        None => return Err(refused(vm, &call)),
    };
    let answer = answer.map_err(|reason| vm.raise("SocketError", reason))?;
    answered(vm, answer)
}

fn answered(vm: &mut Vm<'_>, page: Page) -> Res {
    vm.check_size(page.body.len())?;
    let mut headers = Vec::with_capacity(page.headers.len());
    for (name, value) in page.headers {
        let (name, value) = (vm.str(name), vm.str(value));
        headers.push(vm.pair(name, value));
    }
    let (status, reason) = (vm.str(page.status.to_string()), vm.str(page.reason));
    let body = match String::from_utf8(page.body) {
        Ok(text) => vm.str(text),
        Err(error) => vm.binary(error.into_bytes()),
    };
    let headers = vm.array(headers);
    Ok(vm.array(vec![status, reason, headers, body]))
}

fn refused(vm: &Vm<'_>, call: &str) -> Box<Flow> {
    let place = vm.places().into_iter().next();
    let (file, line) = place.map_or_else(|| vm.place(), |place| (place.file, place.line));
    Flow::stop(issues::network_refused(call, &file, line))
}
