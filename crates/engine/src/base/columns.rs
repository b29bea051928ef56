//! Tabular text: kubectl's table printer and Go's tabwriter.
