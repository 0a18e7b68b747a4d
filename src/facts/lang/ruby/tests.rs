//! What the extractor reads of Ruby.

use super::Ruby;
use crate::facts::checking;

fn check(text: &str, expected: &[&str]) {
    checking::check(&Ruby, "lib/a.rb", text, expected);
}

#[test]
fn reads_definitions() {
    check(
        r"
module Outer
  class Thing < Base
    attr_accessor :size, :name
    def initialize(a, b = 1, *c, d:, e: 2, **f, &g); end
    def run?(x); end
    def self.build(y = LIMIT); end
    LIMIT = 5
    private
    def hidden; end
  end
  private_class_method :zip
  def self.zip; end
  class << self
    def inner; end
  end
end
def top; end
",
        &[
            r#"symbol Outer {"declared":"module"}"#,
            r#"symbol Outer::Thing {"declared":"class"}"#,
            r#"signature Outer::Thing {"parameters":[{"name":"a","kind":"positional"},{"name":"b","kind":"positional","optional":true,"default":1},{"name":"c","kind":"variadic"},{"name":"d","kind":"keyword"},{"name":"e","kind":"keyword","optional":true,"default":2},{"name":"f","kind":"keywords"}],"members":[{"name":"size"},{"name":"name"}]}"#,
            r#"symbol Outer::Thing.run? {"declared":"method"}"#,
            r#"signature Outer::Thing.run? {"parameters":[{"name":"x","kind":"positional"}]}"#,
            r#"symbol Outer::Thing.build {"declared":"method"}"#,
            r#"signature Outer::Thing.build {"parameters":[{"name":"y","kind":"positional","optional":true,"default":5}]}"#,
            r#"symbol Outer::Thing::LIMIT {"declared":"constant"}"#,
            r#"symbol Outer::Thing.hidden {"declared":"method"} internal"#,
            r#"signature Outer::Thing.hidden {"parameters":[]} internal"#,
            r#"symbol Outer.zip {"declared":"method"} internal"#,
            r#"signature Outer.zip {"parameters":[]} internal"#,
            r#"symbol Outer.inner {"declared":"method"}"#,
            r#"signature Outer.inner {"parameters":[]}"#,
            r#"symbol top {"declared":"function"}"#,
            r#"signature top {"parameters":[]}"#,
        ],
    );
}

#[test]
fn reads_constants() {
    check(
        "A = 1_000\nB = %w[x y].freeze\nC = 20.minutes\nD = \"a#{A}\"\nE = :sym\nF = A * 2\nG = ENV.fetch('G', 'd')\nH = 'it''s'\n",
        &[
            r#"constant A {"value":1000}"#,
            r#"constant B {"value":["x","y"]}"#,
            r#"constant C {"value":"20m"}"#,
            r#"constant D {"valueExpr":"\"a#{A}\""}"#,
            r#"constant E {"value":"sym"}"#,
            r#"constant F {"value":2000}"#,
            r#"constant G {"value":"d"}"#,
            r#"constant H {"value":"its"}"#,
        ],
    );
}

#[test]
fn reads_tables() {
    check(
        r"
class Configuration < Hash
  DEFAULTS = Configuration[{
    'host' => '0.0.0.0', :port => 4000, kramdown: { 'auto_ids' => true, 'x' => [] }, 'made' => make
  }].freeze
  OTHER = { 'a' => 1, 'flag' => ['-f', '--flag'] }.each_with_object({}) { |(k, v), h| h[k] = v }
  BY_CODE = { 404 => 'x' }.freeze
end
",
        &[
            r#"config-key Configuration::DEFAULTS.host {"default":"0.0.0.0"}"#,
            r#"config-key Configuration::DEFAULTS.port {"default":4000}"#,
            r#"config-key Configuration::DEFAULTS.kramdown.auto_ids {"default":true}"#,
            r#"config-key Configuration::DEFAULTS.kramdown.x {"default":[]}"#,
            r#"config-key Configuration::DEFAULTS.made {"defaultExpr":"make"}"#,
            r#"config-key Configuration::OTHER.a {"default":1}"#,
        ],
    );
}

#[test]
fn reads_environment_variables() {
    check(
        "def f\n  ENV['PLAIN']\n  ENV['SET'] = '1'\n  ENV['OR'] || 5\n  ENV.fetch('FETCH', 'd')\n  ENV.key?('KEY')\n  ENV['LATE'] ||= 'x'\nend\n",
        &[
            r"env-var PLAIN {}",
            r#"env-var OR {"default":5}"#,
            r#"env-var FETCH {"default":"d"}"#,
            r"env-var KEY {}",
            r#"env-var LATE {"default":"x"}"#,
        ],
    );
}

#[test]
fn survives_broken_text() {
    checking::survives(
        &Ruby,
        "a.rb",
        "module É\n  class A::B\n    C = Configuration[{ 'é' => { a: [1] } }].freeze\n    def x(a = 1, b: 2); ENV['Z'] || 3; end\n    private :x\n  end\nend\n",
    );
}
