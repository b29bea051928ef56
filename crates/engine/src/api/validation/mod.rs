//! Validation of objects, kind by kind, over one list of field errors.
