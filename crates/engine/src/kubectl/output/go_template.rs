//! `-o go-template`.
