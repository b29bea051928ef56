//! Tables: the columns and cells of every kind.
