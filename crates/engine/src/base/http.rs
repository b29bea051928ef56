//! Requests and responses as plain data: what kubectl, controllers, the page and real clients send through the doors
//! (API server, Docker Engine, servers in containers).

use crate::base::SmolStr;

use super::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    Get,
    Post,
    Put,
    Patch,
    Delete,
    Head,
}

/// Who asks, after authentication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    pub name: SmolStr,
    pub groups: Vec<SmolStr>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Which door: empty for the API server, else `docker`, or `host:port` of a server in the cluster.
    pub host: SmolStr,
    pub method: Method,
    /// Without the query.
    pub path: String,
    pub query: Vec<(SmolStr, String)>,
    /// Media type of the body; empty = application/json.
    pub content_type: SmolStr,
    /// The Accept header; empty = application/json.
    pub accept: SmolStr,
    /// The User-Agent up to `/`: the default field manager.
    pub agent: SmolStr,
    pub user: User,
    pub body: Body,
    /// What is asked at once when this finds nothing (an event whose first telling was deleted).
    pub instead: Option<Box<Request>>,
}

/// Clients inside the engine hand over trees; only the outside world sends text.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Body {
    #[default]
    None,
    Value(Value),
    Text(String),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    pub code: u16,
    /// Texts of `Warning: 299` headers.
    pub warnings: Vec<String>,
    pub content_type: SmolStr,
    pub body: Body,
    /// More follows: a watch, a log that is followed, an exec session. The door that answered keeps it under this id.
    pub stream: Option<u64>,
}

/// One piece of a stream.
#[derive(Clone, Debug, PartialEq)]
pub enum Frame {
    /// A watch event (`{"type": …, "object": …}`).
    Event(Value),
    /// Bytes of a log or of exec's channels (1 = stdout, 2 = stderr, 3 = the closing Status).
    Data(u8, Vec<u8>),
    End,
}

/// What comes back to whoever sent a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Mail {
    Reply(Response),
    Frame(Frame),
}

pub const JSON: SmolStr = SmolStr::new_static(&"application/json");

impl Request {
    pub fn new(user: &User, agent: &str, method: Method, path: impl Into<String>) -> Request {
        Request {
            host: SmolStr::default(),
            method,
            path: path.into(),
            query: Vec::new(),
            content_type: SmolStr::default(),
            accept: SmolStr::default(),
            agent: SmolStr::new(agent),
            user: user.clone(),
            body: Body::None,
            instead: None,
        }
    }

    pub fn with_body(mut self, body: Value) -> Request {
        self.body = Body::Value(body);
        self
    }

    pub fn with_query(mut self, key: &'static str, value: impl Into<String>) -> Request {
        self.query.push((key.into(), value.into()));
        self
    }

    /// The first value of a query parameter; "" when it is missing.
    pub fn query(&self, key: &str) -> &str {
        self.query.iter().find(|(k, _)| k == key).map_or("", |(_, v)| v)
    }
}

impl Response {
    pub fn new(code: u16, body: Value) -> Response {
        Response { code, warnings: Vec::new(), content_type: JSON, body: Body::Value(body), stream: None }
    }

    /// No answer came: code 0, and why in the words of errno (`Connection refused`, `Connection timed out`,
    /// `No route to host`), or `Empty reply`.
    pub fn failed(why: &str) -> Response {
        Response { body: Body::Text(why.into()), ..Response::new(0, Value::Null) }
    }

    pub fn text(code: u16, text: String) -> Response {
        Response { body: Body::Text(text), ..Response::new(code, Value::Null) }
    }

    pub fn ok(&self) -> bool {
        self.code < 400
    }

    pub fn value(&self) -> &Value {
        match &self.body {
            Body::Value(value) => value,
            _ => &super::value::NULL,
        }
    }
}

impl Body {
    pub fn value(&self) -> &Value {
        match self {
            Body::Value(value) => value,
            _ => &super::value::NULL,
        }
    }
}
