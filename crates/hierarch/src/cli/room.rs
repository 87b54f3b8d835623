//! Memory that is taken at once: a process that grows page by page spends more time in the system than at work.

/// Makes room for the data of a command, on the thread that asks. Nothing is touched, so it costs nothing until it is used.
///
/// glibc takes the memory of all threads but the first in steps of 4 KB, each with a call of the system: 600 of them for a
/// hash of 20,000 keys.
pub(crate) fn make() {
    // The first is mapped apart. That it is given back tells the allocator to take the next of its size from the memory of
    // the thread, which keeps it. Other allocators do no harm with it.
    for _ in 0..2 {
        std::hint::black_box(Vec::<u8>::with_capacity(ROOM));
    }
}

const ROOM: usize = 16 << 20;
