//! All functions by name, with their signatures.

use super::Want::{Any, Bool, ListAny, ListBool, ListStr, MapListStr, Num, SetAny, SetStr, Str};
use super::{Arguments, DYNAMIC, Function, INSIDE, MARKED, NULL, Outcome, Parameter, UNKNOWN, Want};
use super::{
    collections, conversion, dates, encoding, files, format, hash, network, numbers, sequences, strings, yaml,
};

type Run = fn(&mut Arguments) -> Outcome;
type Parameters = &'static [Parameter];

const fn p(name: &'static str, want: Want, allows: u8) -> Parameter {
    Parameter { name, want, allows }
}

const fn f(name: &'static str, parameters: Parameters, gives: Want, run: Run) -> Function {
    Function { name, parameters, rest: None, gives, run }
}

const fn v(name: &'static str, parameters: Parameters, rest: Parameter, gives: Want, run: Run) -> Function {
    Function { name, parameters, rest: Some(rest), gives, run }
}

/// Everything: the function decides itself.
const ALL: u8 = NULL | UNKNOWN | MARKED | DYNAMIC | INSIDE;
/// Known collections whose elements pass through, with their marks.
const THROUGH: u8 = MARKED | INSIDE;

const STR: Parameters = &[p("str", Str, 0)];
const PATH: Parameters = &[p("path", Str, 0)];
const NUM: Parameters = &[p("num", Num, 0)];
const ANY: Parameters = &[p("value", Any, ALL)];
const CONVERTED: Parameters = &[p("v", Any, ALL)];
const SETS: Parameters = &[p("first_set", SetAny, 0)];
const MANY_SETS: Parameter = p("other_sets", SetAny, 0);

pub static FUNCTIONS: &[Function] = &[
    f("abs", NUM, Num, numbers::abs),
    f("abspath", PATH, Str, files::abspath),
    f("alltrue", &[p("list", ListBool, INSIDE)], Bool, collections::alltrue),
    f("anytrue", &[p("list", ListBool, INSIDE)], Bool, collections::anytrue),
    f("base64decode", &[p("str", Str, MARKED)], Str, encoding::base64decode),
    f("base64encode", STR, Str, encoding::base64encode),
    f("base64gzip", STR, Str, conversion::gap),
    f("base64sha256", STR, Str, hash::base64sha256),
    f("base64sha512", STR, Str, hash::base64sha512),
    f("basename", PATH, Str, files::basename),
    v("bcrypt", STR, p("cost", Num, 0), Str, conversion::impure),
    f("can", &[p("expression", Any, ALL)], Bool, conversion::gap),
    f("ceil", NUM, Num, numbers::ceil),
    f("chomp", STR, Str, strings::chomp),
    f("chunklist", &[p("list", ListAny, THROUGH), p("size", Num, 0)], Any, sequences::chunklist),
    f("cidrhost", &[p("prefix", Str, 0), p("hostnum", Num, 0)], Str, network::cidrhost),
    f("cidrnetmask", &[p("prefix", Str, 0)], Str, network::cidrnetmask),
    f("cidrsubnet", &[p("prefix", Str, 0), p("newbits", Num, 0), p("netnum", Num, 0)], Str, network::cidrsubnet),
    v("cidrsubnets", &[p("prefix", Str, 0)], p("newbits", Num, 0), ListStr, network::cidrsubnets),
    v("coalesce", &[], p("vals", Any, NULL | UNKNOWN | DYNAMIC | INSIDE), Any, collections::coalesce),
    v("coalescelist", &[], p("vals", Any, NULL | UNKNOWN | DYNAMIC | INSIDE), Any, collections::coalescelist),
    f("compact", &[p("list", ListStr, 0)], ListStr, collections::compact),
    v("concat", &[], p("seqs", Any, THROUGH), Any, sequences::concat),
    f("contains", &[p("list", Any, INSIDE), p("value", Any, NULL | INSIDE)], Bool, collections::contains),
    f("convert", &[p("value", Any, ALL), p("type", Any, ALL)], Any, conversion::gap),
    f("csvdecode", STR, Any, encoding::csvdecode),
    f("dirname", PATH, Str, files::dirname),
    f("distinct", &[p("list", ListAny, 0)], ListAny, sequences::distinct),
    f("element", &[p("list", Any, THROUGH), p("index", Num, 0)], Any, sequences::element),
    f("endswith", &[p("str", Str, 0), p("suffix", Str, 0)], Bool, strings::endswith),
    f("ephemeralasnull", ANY, Any, conversion::ephemeralasnull),
    f("file", PATH, Str, files::file),
    f("filebase64", PATH, Str, files::filebase64),
    f("filebase64sha256", PATH, Str, files::filebase64sha256),
    f("filebase64sha512", PATH, Str, files::filebase64sha512),
    f("fileexists", PATH, Bool, files::fileexists),
    f("filemd5", PATH, Str, files::filemd5),
    f("fileset", &[p("path", Str, 0), p("pattern", Str, 0)], SetStr, files::fileset),
    f("filesha1", PATH, Str, files::filesha1),
    f("filesha256", PATH, Str, files::filesha256),
    f("filesha512", PATH, Str, files::filesha512),
    f("flatten", &[p("list", Any, THROUGH)], Any, sequences::flatten),
    f("floor", NUM, Num, numbers::floor),
    v("format", &[p("format", Str, 0)], p("args", Any, NULL | DYNAMIC), Str, format::format),
    f("formatdate", &[p("format", Str, 0), p("time", Str, 0)], Str, dates::formatdate),
    v(
        "formatlist",
        &[p("format", Str, 0)],
        p("args", Any, NULL | UNKNOWN | DYNAMIC | INSIDE),
        ListStr,
        format::formatlist,
    ),
    f("indent", &[p("spaces", Num, 0), p("str", Str, 0)], Str, strings::indent),
    f("index", &[p("list", Any, 0), p("value", Any, 0)], Num, collections::index),
    f("issensitive", ANY, Bool, conversion::issensitive),
    v("join", &[p("separator", Str, 0)], p("lists", ListStr, 0), Str, strings::join),
    f("jsondecode", STR, Any, encoding::jsondecode),
    f("jsonencode", &[p("val", Any, NULL | DYNAMIC)], Str, encoding::jsonencode),
    f("keys", &[p("inputMap", Any, THROUGH | UNKNOWN)], Any, collections::keys),
    f("length", &[p("value", Any, UNKNOWN | MARKED | DYNAMIC | INSIDE)], Num, collections::length),
    v("list", &[], p("vals", Any, ALL), Any, collections::old_list),
    f("log", &[p("num", Num, 0), p("base", Num, 0)], Num, numbers::log),
    v(
        "lookup",
        &[p("inputMap", Any, MARKED | UNKNOWN | INSIDE), p("key", Str, MARKED | UNKNOWN)],
        p("default", Any, ALL),
        Any,
        collections::lookup,
    ),
    f("lower", STR, Str, strings::lower),
    v("map", &[], p("vals", Any, ALL), Any, collections::old_map),
    f(
        "matchkeys",
        &[p("values", ListAny, INSIDE), p("keys", ListAny, 0), p("searchset", ListAny, 0)],
        ListAny,
        collections::matchkeys,
    ),
    v("max", &[], p("numbers", Num, 0), Num, numbers::max),
    f("md5", STR, Str, hash::md5),
    v("merge", &[], p("maps", Any, NULL | MARKED | DYNAMIC | INSIDE), Any, collections::merge),
    v("min", &[], p("numbers", Num, 0), Num, numbers::min),
    f("nonsensitive", ANY, Any, conversion::nonsensitive),
    f("one", &[p("list", Any, INSIDE)], Any, sequences::one),
    f("parseint", &[p("number", Any, MARKED), p("base", Num, MARKED)], Num, numbers::parseint),
    f("pathexpand", PATH, Str, files::pathexpand),
    f("plantimestamp", &[], Str, conversion::plantimestamp),
    f("pow", &[p("num", Num, 0), p("power", Num, 0)], Num, numbers::pow),
    v("range", &[], p("params", Num, 0), Want::ListNum, sequences::range),
    f("regex", &[p("pattern", Str, 0), p("string", Str, 0)], Any, strings::regex),
    f("regexall", &[p("pattern", Str, 0), p("string", Str, 0)], Any, strings::regexall),
    f("replace", &[p("str", Str, 0), p("substr", Str, 0), p("replace", Str, 0)], Str, strings::replace),
    f("reverse", &[p("list", Any, THROUGH)], Any, sequences::reverse),
    f("rsadecrypt", &[p("ciphertext", Str, 0), p("privatekey", Str, 0)], Str, conversion::gap),
    f("sensitive", ANY, Any, conversion::sensitive),
    v("setintersection", SETS, MANY_SETS, SetAny, collections::setintersection),
    v("setproduct", &[], p("sets", Any, THROUGH), Any, sequences::setproduct),
    f("setsubtract", &[p("a", SetAny, 0), p("b", SetAny, 0)], SetAny, collections::setsubtract),
    v("setunion", &[p("first_set", SetAny, INSIDE)], p("other_sets", SetAny, INSIDE), SetAny, collections::setunion),
    f("sha1", STR, Str, hash::sha1),
    f("sha256", STR, Str, hash::sha256),
    f("sha512", STR, Str, hash::sha512),
    f("signum", NUM, Num, numbers::signum),
    f("slice", &[p("list", Any, THROUGH), p("start_index", Num, 0), p("end_index", Num, 0)], Any, sequences::slice),
    f("sort", &[p("list", ListStr, INSIDE)], ListStr, sequences::sort),
    f("split", &[p("separator", Str, 0), p("str", Str, 0)], ListStr, strings::split),
    f("startswith", &[p("str", Str, UNKNOWN), p("prefix", Str, 0)], Bool, strings::startswith),
    f("strcontains", &[p("str", Str, 0), p("substr", Str, 0)], Bool, strings::strcontains),
    f("strrev", STR, Str, strings::strrev),
    f("substr", &[p("str", Str, 0), p("offset", Num, 0), p("length", Num, 0)], Str, strings::substr),
    f("sum", &[p("list", Any, 0)], Num, numbers::sum),
    f("templatefile", &[p("path", Str, 0), p("vars", Any, INSIDE)], Any, conversion::gap),
    f("templatestring", &[p("template", Str, 0), p("vars", Any, INSIDE)], Str, conversion::gap),
    f("textdecodebase64", &[p("source", Str, 0), p("encoding", Str, 0)], Str, encoding::textdecodebase64),
    f("textencodebase64", &[p("string", Str, 0), p("encoding", Str, 0)], Str, encoding::textencodebase64),
    f("timeadd", &[p("timestamp", Str, 0), p("duration", Str, 0)], Str, dates::timeadd),
    f("timecmp", &[p("timestamp_a", Str, 0), p("timestamp_b", Str, 0)], Num, dates::timecmp),
    f("timestamp", &[], Str, conversion::timestamp),
    f("title", STR, Str, strings::title),
    f("tobool", CONVERTED, Bool, conversion::tobool),
    f("tolist", CONVERTED, ListAny, conversion::tolist),
    f("tomap", CONVERTED, Any, conversion::tomap),
    f("tonumber", CONVERTED, Num, conversion::tonumber),
    f("toset", CONVERTED, SetAny, conversion::toset),
    f("tostring", CONVERTED, Str, conversion::tostring),
    f("transpose", &[p("values", MapListStr, 0)], MapListStr, collections::transpose),
    f("trim", &[p("str", Str, 0), p("cutset", Str, 0)], Str, strings::trim),
    f("trimprefix", &[p("str", Str, 0), p("prefix", Str, 0)], Str, strings::trimprefix),
    f("trimspace", STR, Str, strings::trimspace),
    f("trimsuffix", &[p("str", Str, 0), p("suffix", Str, 0)], Str, strings::trimsuffix),
    v("try", &[], p("expressions", Any, ALL), Any, conversion::gap),
    f("upper", STR, Str, strings::upper),
    f("urlencode", STR, Str, encoding::urlencode),
    f("uuid", &[], Str, conversion::uuid),
    f("uuidv5", &[p("namespace", Str, 0), p("name", Str, 0)], Str, hash::uuidv5),
    f("values", &[p("mapping", Any, THROUGH)], Any, collections::values),
    f("yamldecode", &[p("src", Str, 0)], Any, yaml::yamldecode),
    f("yamlencode", &[p("value", Any, NULL | DYNAMIC)], Str, yaml::yamlencode),
    f("zipmap", &[p("keys", ListStr, MARKED), p("values", Any, THROUGH)], Any, collections::zipmap),
];
