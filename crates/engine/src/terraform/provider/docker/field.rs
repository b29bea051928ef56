//! Fields of resource types as the provider's tables write them, and the schemas they mean (upstream: helper/schema of
//! terraform's plugin SDK).

use crate::terraform::schema::{AttributeSchema, BlockSchema, NestedSchema, Nesting};
use crate::terraform::value::{Type, Value};

/// One argument or block of a resource type.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub name: &'static str,
    pub shape: Shape,
    pub required: bool,
    pub optional: bool,
    pub computed: bool,
    /// A change of it makes a new object.
    pub forced: bool,
    pub sensitive: bool,
    /// An empty text in the configuration leaves what is there.
    pub lenient: bool,
    pub preset: Preset,
    pub max: u32,
    pub check: Check,
}

#[derive(Clone, Copy, Debug)]
pub enum Shape {
    Text,
    Number,
    Flag,
    Texts,
    TextSet,
    TextMap,
    /// Nested blocks.
    Blocks(Nesting, &'static [Field]),
    /// An attribute that holds objects: of what only the provider writes.
    Objects(Nesting, &'static [Field]),
}

#[derive(Clone, Copy, Debug)]
pub enum Preset {
    None,
    Text(&'static str),
    Number(i64),
    Flag(bool),
}

/// What a value is checked for before anything is planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    None,
    /// One of these words, as a pattern names them.
    Words(&'static [&'static str]),
    AtLeast(i64),
    Duration,
    AbsolutePath,
    Base64,
    /// `0644`
    FileMode,
    /// Any of these letters.
    Letters(&'static str),
}

pub const fn field(name: &'static str, shape: Shape) -> Field {
    Field {
        name,
        shape,
        required: false,
        optional: true,
        computed: false,
        forced: false,
        sensitive: false,
        lenient: false,
        preset: Preset::None,
        max: 0,
        check: Check::None,
    }
}

pub const fn text(name: &'static str) -> Field {
    field(name, Shape::Text)
}

pub const fn number(name: &'static str) -> Field {
    field(name, Shape::Number)
}

pub const fn flag(name: &'static str) -> Field {
    field(name, Shape::Flag)
}

pub const fn texts(name: &'static str) -> Field {
    field(name, Shape::Texts)
}

pub const fn text_set(name: &'static str) -> Field {
    field(name, Shape::TextSet)
}

pub const fn text_map(name: &'static str) -> Field {
    field(name, Shape::TextMap)
}

pub const fn list_of(name: &'static str, fields: &'static [Field]) -> Field {
    field(name, Shape::Blocks(Nesting::List, fields))
}

pub const fn set_of(name: &'static str, fields: &'static [Field]) -> Field {
    field(name, Shape::Blocks(Nesting::Set, fields))
}

/// The block with limits of time.
pub const fn timeouts(fields: &'static [Field]) -> Field {
    field("timeouts", Shape::Blocks(Nesting::Single, fields))
}

impl Field {
    pub const fn required(self) -> Field {
        Field { required: true, optional: false, ..self }
    }

    /// The provider fills it in when the configuration does not.
    pub const fn computed(self) -> Field {
        Field { computed: true, ..self }
    }

    /// Only the provider writes it.
    pub const fn read_only(self) -> Field {
        Field { computed: true, optional: false, ..self }
    }

    pub const fn forced(self) -> Field {
        Field { forced: true, ..self }
    }

    pub const fn sensitive(self) -> Field {
        Field { sensitive: true, ..self }
    }

    pub const fn lenient(self) -> Field {
        Field { lenient: true, ..self }
    }

    pub const fn or_text(self, preset: &'static str) -> Field {
        Field { preset: Preset::Text(preset), ..self }
    }

    pub const fn or_number(self, preset: i64) -> Field {
        Field { preset: Preset::Number(preset), ..self }
    }

    pub const fn or_flag(self, preset: bool) -> Field {
        Field { preset: Preset::Flag(preset), ..self }
    }

    pub const fn at_most(self, max: u32) -> Field {
        Field { max, ..self }
    }

    pub const fn checked(self, check: Check) -> Field {
        Field { check, ..self }
    }

    /// What the configuration means when it is silent; null without a preset.
    pub fn preset(&self) -> Value {
        match self.preset {
            Preset::None => Value::null(self.ty()),
            Preset::Text(text) => Value::string(text),
            Preset::Number(number) => Value::int(number),
            Preset::Flag(flag) => Value::bool(flag),
        }
    }

    pub fn ty(&self) -> Type {
        match self.shape {
            Shape::Text => Type::String,
            Shape::Number => Type::Number,
            Shape::Flag => Type::Bool,
            Shape::Texts => Type::list(Type::String),
            Shape::TextSet => Type::set(Type::String),
            Shape::TextMap => Type::map(Type::String),
            Shape::Blocks(nesting, fields) | Shape::Objects(nesting, fields) => match nesting {
                Nesting::Set => Type::set(object_type(fields)),
                Nesting::Single => object_type(fields),
                Nesting::List | Nesting::Map => Type::list(object_type(fields)),
            },
        }
    }

    /// What stands for "nothing" of a scalar.
    pub fn zero(&self) -> Value {
        match self.shape {
            Shape::Number => Value::int(0),
            Shape::Flag => Value::bool(false),
            _ => Value::string(""),
        }
    }
}

pub fn object_type(fields: &[Field]) -> Type {
    Type::object(fields.iter().map(|field| (field.name.into(), field.ty())).collect())
}

/// The schema of a block with these fields.
pub fn block(fields: &[Field]) -> BlockSchema {
    let mut block = BlockSchema::default();
    for field in fields {
        match field.shape {
            Shape::Blocks(nesting, inner) => block.blocks.push(NestedSchema {
                name: field.name.into(),
                nesting,
                block: self::block(inner),
                min: u32::from(field.required),
                max: field.max,
            }),
            _ => block.attributes.push(AttributeSchema {
                name: field.name.into(),
                ty: field.ty(),
                required: field.required,
                optional: field.optional,
                computed: field.computed,
                sensitive: field.sensitive,
                ..AttributeSchema::default()
            }),
        }
    }
    block.attributes.sort_by(|a, b| a.name.cmp(&b.name));
    block.blocks.sort_by(|a, b| a.name.cmp(&b.name));
    block
}
