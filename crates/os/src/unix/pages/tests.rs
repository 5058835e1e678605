use std::io::Read;

use super::*;

#[test]
fn what_is_given_stays_and_the_room_is_elsewhere() {
    let mut arena = Arena::new().unwrap();
    assert_eq!(arena.room().len(), Arena::SIZE);
    let pages: Vec<_> = (0..10_u8)
        .map(|number| {
            arena.room()[..1000].fill(number);
            arena.split_off(1000)
        })
        .collect();
    arena.room().fill(0xFF);
    assert_eq!(arena.room().len(), Arena::SIZE - 10_000);
    drop(arena);
    for (number, pages) in pages.iter().enumerate() {
        assert!(pages.len() == 1000 && pages.iter().all(|byte| usize::from(*byte) == number));
    }
}

#[test]
fn a_pipe_delivers_all_of_its_pages_after_their_arena_is_gone() {
    let (mut reader, writer) = std::io::pipe().unwrap();
    let pipe = Pipe(File::from(std::os::fd::OwnedFd::from(writer)));
    let bytes: Vec<u8> = (0..3_000_000_u32).map(|number| (number % 251) as u8).collect();
    let expected = bytes.repeat(2);
    let writing = std::thread::spawn(move || {
        for _ in 0..2 {
            let mut arena = Arena::new().unwrap();
            arena.room()[..bytes.len()].copy_from_slice(&bytes);
            let pages = arena.split_off(bytes.len());
            drop(arena);
            pipe.splice(&pages).unwrap();
        }
    });
    let mut read = Vec::new();
    reader.read_to_end(&mut read).unwrap();
    writing.join().unwrap();
    assert!(read == expected);
}

#[test]
fn only_the_end_that_is_written_to_is_one() {
    let (reader, writer) = std::io::pipe().unwrap();
    let file = |end: std::os::fd::OwnedFd| File::from(end);
    assert!(Pipe::of(&file(reader.into())).is_none());
    assert_eq!(Pipe::of(&file(writer.into())).is_some(), has_huge_pages());
}

#[test]
fn a_pipe_that_nobody_reads_is_an_error() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let pipe = Pipe(File::from(std::os::fd::OwnedFd::from(writer)));
    let mut arena = Arena::new().unwrap();
    let error = pipe.splice(&arena.split_off(10)).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
}
