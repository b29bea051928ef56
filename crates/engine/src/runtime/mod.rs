//! Containers as containerd and runc make them: images, the processes in a container, its log, what its servers answer.
//!
//! Not simulated: file systems of images beyond what their programs need, cgroup accounting, seccomp.

mod container;
mod contents;
mod image;
mod programs;
mod server;
mod talk;
#[cfg(test)]
mod tests;

pub use container::{Container, Log, LogLine, Make, StartError};
pub use contents::{env as image_env, fill as image_files};
pub use image::{Image, Missing, Reference, find, hex64, hole};
pub use server::{HttpAnswer, WELCOME, answer, listens, respond, speaks_tls};
