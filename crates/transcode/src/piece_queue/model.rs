//! Models of the work queue: every order in which its threads can interleave, up to the limit that `ci/loom` sets.

use std::sync::LazyLock;

use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::thread;

use super::*;
use crate::io::{Chunk, InMemory};
use crate::split::PIECE;
use oxiconv_encodings::encoding::SplitRule;

const COUNT: usize = 3;

static TEXT: LazyLock<Vec<u8>> = LazyLock::new(|| vec![0; COUNT * PIECE]);
static WINDOW: LazyLock<InMemory<'static>> = LazyLock::new(|| InMemory(Chunk::last(&TEXT)));

fn queue(threads: usize) -> Arc<PieceQueue<'static>> {
    Arc::new(PieceQueue::new(SplitPieces::new(SplitRule::Units(1), &*WINDOW, 0, 0), threads))
}

/// A worker thread; returns how many pieces it took.
fn work(queue: &PieceQueue<'static>) -> usize {
    let mut count = 0;
    while let Some(job) = queue.take() {
        queue.complete(job, |job| Some((job.piece.read(Vec::new())?, None)));
        count += 1;
    }
    count
}

/// The writing thread: writes at most `most` pieces, and returns how many it converted itself.
fn write(queue: &PieceQueue<'static>, most: usize) -> usize {
    let _close = queue.close_on_drop();
    let (mut own, mut written) = (0, 0);
    while written < most {
        match queue.next_step() {
            NextStep::Piece(done) => {
                let place = done.map(|(piece, _)| piece.place(piece.range().start));
                assert!(place.is_none_or(|place| place == written * PIECE), "pieces come in order");
                queue.give_back(None, None);
                written += 1;
            }
            NextStep::Convert(job) => {
                queue.complete(job, |job| Some((job.piece.read(Vec::new())?, None)));
                own += 1;
            }
            NextStep::End => break,
        }
    }
    assert_eq!(written, most.min(COUNT));
    own
}

#[test]
fn every_piece_is_converted_once_and_written_in_order() {
    loom::model(|| {
        // With so little room, the threads wait for each other.
        let queue = queue(1);
        let taken = Arc::new(AtomicUsize::new(0));
        let threads = [(); 2].map(|()| {
            let (queue, taken) = (Arc::clone(&queue), Arc::clone(&taken));
            thread::spawn(move || taken.fetch_add(work(&queue), Ordering::Relaxed))
        });
        let own = write(&queue, COUNT + 1);
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(own + taken.load(Ordering::Relaxed), COUNT);
    });
}

#[test]
fn nobody_waits_for_ever_when_the_writing_thread_stops() {
    loom::model(|| {
        let queue = queue(1);
        let same = Arc::clone(&queue);
        let thread = thread::spawn(move || work(&same));
        let own = write(&queue, 1);
        let taken = thread.join().unwrap();
        assert!((1..=COUNT).contains(&(own + taken)));
    });
}

/// A conversion that panics ends the process, or the call of a library: the other threads must not wait for it.
#[test]
fn nobody_waits_for_ever_for_a_piece_whose_conversion_panics() {
    loom::model(|| {
        let queue = queue(1);
        let same = Arc::clone(&queue);
        let thread = thread::spawn(move || {
            let Some(job) = same.take() else { return };
            let panic = std::panic::AssertUnwindSafe(|| same.complete(job, |_| panic!("as meant")));
            assert!(std::panic::catch_unwind(panic).is_err());
        });
        write(&queue, COUNT + 1);
        thread.join().unwrap();
    });
}
