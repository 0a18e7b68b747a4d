//! What the Python extractor reads, table by table.

use super::Python;
use crate::facts::checking;

fn check(text: &str, expected: &[&str]) {
    checking::check(&Python, "pkg/a.py", text, expected);
}

#[test]
fn reads_functions() {
    check(
        r#"
LIMIT = 1_000

def plain(a, b: int = 5, /, c="x", *args: str, key: bool = True, other=LIMIT, **kwargs) -> dict[str, int]:
    local = 1

async def _hidden(
    a,
    *,
    timeout=compute(
        1,
    ),
): ...

def generic[T](x: T) -> T: ...
"#,
        &[
            r#"signature plain {"parameters":[{"name":"a","kind":"positional"},{"name":"b","kind":"positional","type":"int","optional":true,"default":5},{"name":"c","kind":"positional","optional":true,"default":"x"},{"name":"args","kind":"variadic","type":"str"},{"name":"key","kind":"keyword","type":"bool","optional":true,"default":true},{"name":"other","kind":"keyword","optional":true,"default":1000},{"name":"kwargs","kind":"keywords"}],"returns":"dict[str, int]"}"#,
            r#"signature _hidden {"parameters":[{"name":"a","kind":"positional"},{"name":"timeout","kind":"keyword","optional":true,"defaultExpr":"compute(1)"}],"async":true} internal"#,
            r#"signature generic {"parameters":[{"name":"x","kind":"positional","type":"T"}],"returns":"T","typeParameters":["T"]}"#,
        ],
    );
}

#[test]
fn reads_symbols_of_classes() {
    check(
        r#"
@decorated
class Thing(Base):
    MAX = 3
    def __init__(self, size: int = 2): ...
    @property
    def area(self) -> int: ...
    @area.setter
    def area(self, value): ...
    @staticmethod
    def make(x): ...
    @classmethod
    def of(cls, x): ...
    class Inner:
        def go(self): ...

if TYPE_CHECKING:
    def conditional(): ...
else:
    pass

if __name__ == "__main__":
    def hidden(): ...
"#,
        &[
            r#"symbol Thing {"declared":"class"}"#,
            r#"signature Thing {"parameters":[{"name":"size","kind":"positional","type":"int","optional":true,"default":2}],"members":[]}"#,
            r#"symbol Thing.MAX {"declared":"constant"}"#,
            r#"symbol Thing.area {"declared":"method"}"#,
            r#"signature Thing.area {"type":"int"}"#,
            r#"symbol Thing.make {"declared":"method"}"#,
            r#"signature Thing.make {"parameters":[{"name":"x","kind":"positional"}]}"#,
            r#"symbol Thing.of {"declared":"method"}"#,
            r#"signature Thing.of {"parameters":[{"name":"x","kind":"positional"}]}"#,
            r#"symbol Thing.Inner {"declared":"class"}"#,
            r#"signature Thing.Inner {"members":[]}"#,
            r#"symbol Thing.Inner.go {"declared":"method"}"#,
            r#"signature Thing.Inner.go {"parameters":[]}"#,
            r#"symbol conditional {"declared":"function"}"#,
            r#"signature conditional {"parameters":[]}"#,
        ],
    );
}

#[test]
fn prefers_overloads_to_their_implementation() {
    let signature = |text: &str| {
        let facts = crate::facts::extract(&crate::model::RepoPath::new("pkg/a.py"), text).facts;
        let found: Vec<_> = facts.into_iter().filter(|f| f.kind == crate::model::FactKind::Signature).collect();
        assert_eq!(found.len(), 1, "{text}");
        found[0].value.to_string()
    };
    let parameter = |kind: &str, default: &str| {
        format!(r#"[{{"name":"x","kind":"positional","type":"{kind}","optional":true,"default":{default}}}]"#)
    };
    let text = "@overload\ndef f(x: int = ...) -> int: ...\n@overload\ndef f(x: str = \"a\") -> str: ...\ndef f(x=5, y=6): ...\n";
    let (one, two) = (parameter("int", "5"), parameter("str", "\"a\""));
    let overload = |list: &str, returns: &str| format!(r#""parameters":{list},"returns":"{returns}""#);
    assert_eq!(
        signature(text),
        format!(r#"{{{},"overloads":[{{{}}},{{{}}}]}}"#, overload(&one, "int"), overload(&two, "str"), overload(&one, "int"))
    );
    // A stub has no implementation, a constructor's overloads are the class's.
    assert!(signature("@overload\ndef f(x: int): ...\n@overload\ndef f(x: str): ...\n").contains("overloads"));
    let class = "class A:\n    @overload\n    def __init__(self, x: int): ...\n    @overload\n    def __init__(self, y: str): ...\n    def __init__(self, **kw): ...\n";
    let value = signature(class);
    assert!(value.contains("overloads") && !value.contains("keywords"), "{value}");
}

#[test]
fn reads_enums() {
    check(
        "class Mode(str, Enum):\n    FAST = 'fast'\n    SLOW = auto()\n    _ignore_ = []\n    def go(self): ...\n",
        &[
            r#"symbol Mode {"declared":"enum"}"#,
            r#"signature Mode {"variants":["FAST","SLOW"]}"#,
            r#"symbol Mode.FAST {"declared":"variant"}"#,
            r#"constant Mode.FAST {"value":"fast"}"#,
            r#"symbol Mode.SLOW {"declared":"variant"}"#,
            r#"symbol Mode.go {"declared":"method"}"#,
            r#"signature Mode.go {"parameters":[]}"#,
        ],
    );
}

#[test]
fn reads_constants() {
    check(
        r#"
A: Final[int] = 0x1F
B = A
C = ["a", "b"]
D = 60 * 60
E = timedelta(minutes=20)
F = Path("x")
G = os.environ.get("G", "dev")
H = f"{A}"
I = ("a"
     "b")
J = r"\d"
K = b"x\n"
L = -1.5
M = None
N = 1
N = 2
O = N
"#,
        &[
            r#"constant A {"value":31,"type":"Final[int]"}"#,
            r#"constant B {"value":31}"#,
            r#"constant C {"value":["a","b"]}"#,
            r#"constant D {"value":3600}"#,
            r#"constant E {"value":"20m"}"#,
            r#"constant F {"value":"x"}"#,
            r#"constant G {"value":"dev"}"#,
            r#"constant H {"valueExpr":"f\"{A}\""}"#,
            r#"constant I {"value":"ab"}"#,
            r#"constant J {"value":"\\d"}"#,
            r#"constant K {"value":"x\n"}"#,
            r#"constant L {"value":-1.5}"#,
            r#"constant M {"value":null}"#,
            r#"constant N {"value":1}"#,
            r#"constant O {"valueExpr":"N"}"#,
        ],
    );
}

#[test]
fn reads_type_aliases() {
    check(
        "Mode = Literal['a', 'b']\ntype Ids = list[int]\nX: TypeAlias = 'Y'\nPoint = namedtuple('Point', 'x y')\nUserId = NewType('UserId', int)\n",
        &[
            r#"symbol Mode {"declared":"type"}"#,
            r#"signature Mode {"variants":["a","b"]}"#,
            r#"symbol Ids {"declared":"type"}"#,
            r#"signature Ids {"type":"list[int]"}"#,
            r#"symbol X {"declared":"type"}"#,
            r#"signature X {"type":"'Y'"}"#,
            r#"symbol Point {"declared":"class"}"#,
            r#"signature Point {"members":[{"name":"x"},{"name":"y"}]}"#,
            r#"symbol UserId {"declared":"type"}"#,
            r#"signature UserId {"type":"NewType('UserId', int)"}"#,
        ],
    );
}

#[test]
fn reads_fields() {
    check(
        r#"
@dataclass
class Config:
    host: str
    port: int = 80
    tags: list[str] = field(default_factory=lambda: ["a"])
    mode: Literal["a", "b"] | None = field(default="a")
    limit: ClassVar[int] = 3
    _secret: str = ""

class Settings(BaseSettings):
    url: str = Field(..., alias="URL")
    size: int = Field(5, ge=1)
    other: int = Field(default=6)
    must: int = Field(gt=0)

class Options(TypedDict):
    name: NotRequired[str]

class Partial(TypedDict, total=False):
    name: str

class Plain:
    timeout = 30
    choice = models.CharField(default="x", choices=["x", "y"])
    handler = make()
"#,
        &[
            r#"config-key Config.host {"type":"str","required":true}"#,
            r#"config-key Config.port {"type":"int","default":80}"#,
            r#"config-key Config.tags {"type":"list[str]","default":["a"]}"#,
            r#"config-key Config.mode {"type":"Literal[\"a\", \"b\"] | None","default":"a","choices":["a","b"]}"#,
            r#"config-key Config._secret {"type":"str","default":""} internal"#,
            r#"config-key Settings.url {"type":"str","required":true} = Settings.URL"#,
            r#"config-key Settings.size {"type":"int","default":5}"#,
            r#"config-key Settings.other {"type":"int","default":6}"#,
            r#"config-key Settings.must {"type":"int","required":true}"#,
            r#"config-key Options.name {"type":"NotRequired[str]"}"#,
            r#"config-key Partial.name {"type":"str"}"#,
            r#"config-key Plain.timeout {"default":30}"#,
            r#"config-key Plain.choice {"default":"x","choices":["x","y"]}"#,
            r#"config-key Plain.handler {"defaultExpr":"make()"}"#,
        ],
    );
}

#[test]
fn reads_members() {
    check(
        "class P(NamedTuple):\n    x: int\n    y: int = 0\n",
        &[
            r#"signature P {"constructor":"members","members":[{"name":"x","type":"int"},{"name":"y","type":"int","optional":true}]}"#,
        ],
    );
}

#[test]
fn reads_tables() {
    check(
        r#"
PORT = 8000
DEFAULTS = {"host": "0.0.0.0", "port": PORT, "log": {"level": "info", "sink": make()}}
OTHERS = dict(a=1, b=dict(c=None))
DISPATCH = {"a": handler}
BY_NUMBER = {1: "a"}
LIMITS = Limits(max_connections=100, keep=other)
thing = Thing(size=1)
"#,
        &[
            r#"config-key DEFAULTS.host {"default":"0.0.0.0"}"#,
            r#"config-key DEFAULTS.port {"default":8000}"#,
            r#"config-key DEFAULTS.log.level {"default":"info"}"#,
            r#"config-key DEFAULTS.log.sink {"defaultExpr":"make()"}"#,
            r#"config-key OTHERS.a {"default":1}"#,
            r#"config-key OTHERS.b.c {"default":null}"#,
            r#"config-key LIMITS.max_connections {"default":100}"#,
            r#"config-key LIMITS.keep {"defaultExpr":"other"}"#,
        ],
    );
}

#[test]
fn reads_builders() {
    check(
        r#"
NAMESPACES = Namespace(
    timezone=Option(type="string"),
    control=Namespace(
        queue_exclusive=Option(False, type="bool"),
        expires=Option(
            timedelta(days=1),
            type='float', old={'old_expires'},
        ),
        __old__=OLD,
    ),
)
"#,
        &[
            r#"config-key timezone {"type":"string"}"#,
            r#"config-key control.queue_exclusive {"type":"bool","default":false} = control_queue_exclusive"#,
            r#"config-key control.expires {"type":"float","default":"24h"} = control_expires old_expires"#,
        ],
    );
}

#[test]
fn reads_settings_registered_by_calls() {
    check(
        r#"
def register(conf):
    conf.add_config(keys=["env_dir", "envdir"], of_type=Path, default=lambda c, n: c / n, desc="d")
    conf.add_config("recreate", of_type=bool, default=False, desc="d")
    parser.addini("markers", "help", type="linelist", default=["x"])
"#,
        &[
            r#"config-key env_dir {"type":"Path","defaultExpr":"lambda c, n: c / n"} = envdir"#,
            r#"config-key recreate {"type":"bool","default":false}"#,
            r#"config-key markers {"type":"linelist","default":["x"]}"#,
        ],
    );
}

#[test]
fn reads_reexports() {
    checking::check(
        &Python,
        "pkg/__init__.py",
        "from .a import Name, other as alias\nfrom os import path\ntry:\n    from .b import Fast\nexcept ImportError:\n    pass\n__all__ = ['Name', 'local', 'Star']\nlocal = 1\n",
        &[
            r#"symbol local {"declared":"constant"}"#,
            r#"symbol Name {"declared":"reexport"}"#,
            r#"symbol alias {"declared":"reexport"}"#,
            r#"symbol Fast {"declared":"reexport"}"#,
            r#"symbol Star {"declared":"reexport"}"#,
        ],
    );
    check("from .a import Name\n__all__ = ('Star',)\n", &[r#"symbol Star {"declared":"reexport"}"#]);
}

#[test]
fn reads_environment_variables() {
    check(
        r#"
KEY = "BY_CONSTANT"

def f():
    os.environ["PLAIN"]
    os.environ["WRITTEN"] = "1"
    os.environ.get("GET", "d")
    os.getenv("GETENV", default=3)
    os.environ.get("OR") or "x"
    environ.get(KEY)
    os.environ.get("PLAIN", "later")
    env("ENV_CALL", 30)
    env.bool("ENV_BOOL", default=False)
    env("lower")
    if "MEMBER" in os.environ: ...

@click.option("--x", envvar="FLAG_X")
def main(): ...

class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="APP_")
    port: int = 80

class Old(BaseSettings):
    host: str = "x"
    class Config:
        env_prefix = "OLD_"
"#,
        &[
            r#"env-var PLAIN {"default":"later"}"#,
            r#"env-var GET {"default":"d"}"#,
            r#"env-var GETENV {"default":3}"#,
            r#"env-var OR {"default":"x"}"#,
            r"env-var BY_CONSTANT {}",
            r#"env-var ENV_CALL {"default":30}"#,
            r#"env-var ENV_BOOL {"default":false}"#,
            r"env-var MEMBER {}",
            r"env-var FLAG_X {}",
            r#"env-var APP_PORT {"default":80}"#,
            r#"env-var OLD_HOST {"default":"x"}"#,
        ],
    );
}

#[test]
fn a_renamed_definition_keeps_its_body() {
    let hash = |text: &str| {
        let path = "a.py".into();
        crate::facts::extract(&path, text).facts.into_iter().find_map(|f| f.body_hash).expect("a body")
    };
    assert_eq!(hash("def old(x):\n    return old(x - 1)\n"), hash("def new(x):\n    return new(x - 1)\n"));
    assert_ne!(hash("def old(x):\n    return x\n"), hash("def old(x):\n    return y\n"));
}

#[test]
fn survives_broken_text() {
    checking::survives(
        &Python,
        "a/__init__.py",
        "from .a import (b, c as d)\n@x\nclass É(Enum):\n    A: Literal['é'] = f(x, *y, **z)\n    def m(self, a=[1], *, b: int = {'a': 1}): os.environ['X']\nN = Namespace(a=Namespace(b=Option(1)))\n__all__ = ['a']\n",
    );
}
