//! Status errors, one constructor per case.
