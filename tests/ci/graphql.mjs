// graphql.mjs FOLDER <REQUESTS: checks GraphQL requests, as they were sent, against GitHub's published schema (npm
// @octokit/graphql-schema in FOLDER): the document, and that the values of its variables have the declared types. Sends nothing.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(`${process.argv[2]}/package.json`);
const { buildSchema, getOperationAST, parse, validate } = require("graphql");
const { getVariableValues } = require("graphql/execution/values.js");
const text = readFileSync(`${process.argv[2]}/node_modules/@octokit/graphql-schema/schema.graphql`, "utf8");
const schema = buildSchema(text, { assumeValidSDL: true });

function errors({ query, variables = {} }) {
  let document;
  try {
    document = parse(query);
  } catch (error) {
    return [error.message];
  }
  const invalid = validate(schema, document);
  const operation = getOperationAST(document);
  if (invalid.length > 0) return invalid.map((error) => error.message);
  const declared = operation.variableDefinitions ?? [];
  const unknown = Object.keys(variables).filter((name) => !declared.some((d) => d.variable.name.value === name));
  const coerced = getVariableValues(schema, declared, variables).errors ?? [];
  return [...coerced.map((error) => error.message), ...unknown.map((name) => `$${name} is not declared`)];
}

const requests = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(requests.map(errors)));
