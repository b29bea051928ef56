//! Schemas of resource types and of the language's own blocks (upstream: terraform's configschema).

use crate::base::SmolStr;
use crate::terraform::value::Type;

/// A resource type, data source or provider configuration.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    pub version: u64,
    pub block: BlockSchema,
    /// Of a provider on the old plugin SDK: empty strings count as null when a plan is shown.
    pub legacy: bool,
}

#[derive(Clone, Debug, Default)]
pub struct BlockSchema {
    /// Sorted by name.
    pub attributes: Vec<AttributeSchema>,
    /// Sorted by name.
    pub blocks: Vec<NestedSchema>,
}

#[derive(Clone, Debug, Default)]
pub struct AttributeSchema {
    pub name: SmolStr,
    pub ty: Type,
    pub required: bool,
    pub optional: bool,
    pub computed: bool,
    pub sensitive: bool,
    pub write_only: bool,
    pub deprecated: bool,
}

#[derive(Clone, Debug)]
pub struct NestedSchema {
    pub name: SmolStr,
    pub nesting: Nesting,
    pub block: BlockSchema,
    pub min: u32,
    /// 0: no limit.
    pub max: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nesting {
    Single,
    List,
    Set,
    Map,
}

impl BlockSchema {
    pub fn attribute(&self, name: &str) -> Option<&AttributeSchema> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    pub fn nested(&self, name: &str) -> Option<&NestedSchema> {
        self.blocks.iter().find(|block| block.name == name)
    }

    /// The type of the object that a body of this schema decodes to.
    pub fn implied_type(&self) -> Type {
        let attributes = self.attributes.iter().map(|attribute| (attribute.name.clone(), attribute.ty.clone()));
        let blocks = self.blocks.iter().map(|nested| (nested.name.clone(), nested.implied_type()));
        Type::object(attributes.chain(blocks).collect())
    }
}

impl NestedSchema {
    pub fn implied_type(&self) -> Type {
        let inner = self.block.implied_type();
        match self.nesting {
            Nesting::Single => inner,
            Nesting::List => Type::list(inner),
            Nesting::Set => Type::set(inner),
            Nesting::Map => Type::map(inner),
        }
    }
}
