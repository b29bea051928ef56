//! The learner's machine: files, shell, installed programs, terminal.
