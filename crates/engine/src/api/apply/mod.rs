//! Server-side apply: field sets, ownership, conflicts, managedFields.
