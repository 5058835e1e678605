//! What only the program asks of a transcoder.

use super::observer::Observer;
use super::transcoder::Transcoder;
use crate::io::Pipe;

impl<'a> Transcoder<'a> {
    /// The same, if the sink is the pipe that `pipe` is too: long texts are given to it rather than copied into it.
    pub fn splicing_to(mut self, pipe: Option<Pipe>) -> Self {
        self.output.gathered.pipe = pipe;
        self
    }

    /// The same, with every character that is written shown to `observer`. Then all go by way of code points, by one
    /// thread.
    pub fn observed_by(mut self, observer: &'a mut dyn Observer) -> Self {
        self.output.observer = Some(observer);
        self
    }
}
