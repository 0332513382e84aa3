//! An allocator that counts: how many bytes are in use, how many were at most, how often memory was
//! asked for. A program that measures declares it as its global allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The system's allocator with counters: some for all threads, one for each.
pub struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static REQUESTS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Requests of this thread.
    static OWN: Cell<usize> = const { Cell::new(0) };
}

/// What one piece of work took from the allocator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Most bytes in use at any moment, beyond the bytes in use before.
    pub peak: usize,
    /// Requests for new or larger memory.
    pub requests: usize,
}

/// Does some work and counts what it takes. Other threads must rest meanwhile.
pub fn usage_of<T>(work: impl FnOnce() -> T) -> (T, Usage) {
    let (before, requests) = (IN_USE.load(Relaxed), REQUESTS.load(Relaxed));
    PEAK.store(before, Relaxed);
    let result = work();
    let peak = PEAK.load(Relaxed).saturating_sub(before);
    (result, Usage { peak, requests: REQUESTS.load(Relaxed) - requests })
}

/// Requests of this thread so far. Other threads, such as the threads of the test harness, may go on meanwhile.
pub fn own_requests() -> usize {
    OWN.with(Cell::get)
}

fn grown(by: usize) {
    OWN.with(|own| own.set(own.get() + 1));
    REQUESTS.fetch_add(1, Relaxed);
    let now = IN_USE.fetch_add(by, Relaxed) + by;
    PEAK.fetch_max(now, Relaxed);
}

#[allow(unsafe_code, reason = "the trait of allocators is unsafe; every call goes to the system's")]
// SAFETY: each method hands its arguments to the system's allocator unchanged and returns what that
// returns; the counters touch no memory that is handed out.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        // SAFETY: the caller keeps the contract of this method, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // A growing table may lie in memory twice while it is copied: counted so on purpose.
        grown(size);
        // SAFETY: as above.
        let moved = unsafe { System.realloc(memory, layout, size) };
        IN_USE.fetch_sub(layout.size(), Relaxed);
        moved
    }
}
