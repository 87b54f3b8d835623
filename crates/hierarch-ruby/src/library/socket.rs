//! `Socket`: the numbers of address families, which scripts compare with those of `IPAddr`. Nothing can be opened.

use crate::core::{Builtin, ClassSpec, m};
use crate::value::Value;

pub(super) static CLASSES: &[&ClassSpec] = &[
    &ClassSpec {
        singleton: &[METHODS],
        constants: &[
            ("AF_UNSPEC", |_| Ok(Value::Int(0))),
            ("AF_INET", |_| Ok(Value::Int(2))),
            ("AF_INET6", |_| Ok(Value::Int(10))),
        ],
        ..ClassSpec::class("Socket")
    },
    &ClassSpec::error("SocketError", "StandardError"),
];

static METHODS: &[Builtin] = &[
    m("new", 0, -1, |vm, _, _| Err(vm.refused("Socket.new"))),
    m("open", 0, -1, |vm, _, _| Err(vm.refused("Socket.open"))),
    m("tcp", 0, -1, |vm, _, _| Err(vm.refused("Socket.tcp"))),
    m("gethostname", 0, -1, |vm, _, _| Err(vm.refused("Socket.gethostname"))),
    m("gethostbyname", 0, -1, |vm, _, _| Err(vm.refused("Socket.gethostbyname"))),
    m("getaddrinfo", 0, -1, |vm, _, _| Err(vm.refused("Socket.getaddrinfo"))),
    m("getifaddrs", 0, -1, |vm, _, _| Err(vm.refused("Socket.getifaddrs"))),
    m("ip_address_list", 0, -1, |vm, _, _| Err(vm.refused("Socket.ip_address_list"))),
];
