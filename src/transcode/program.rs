//! Settings of a transcoder that only the program uses.

use super::observer::Observer;
use super::transcoder::Transcoder;
use crate::io::Pipe;

impl<'a> Transcoder<'a> {
    /// Splices long texts to `pipe` instead of copying them, if the sink is that pipe.
    pub fn splicing_to(mut self, pipe: Option<Pipe>) -> Self {
        self.output.gathered.pipe = pipe;
        self
    }

    /// Shows every character that is written to `observer`. All text is then converted through code points, by one
    /// thread.
    pub fn observed_by(mut self, observer: &'a mut dyn Observer) -> Self {
        self.output.observer = Some(observer);
        self
    }
}
