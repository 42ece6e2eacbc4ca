/** Reading of the OpenAPI document as clients read it: by following references. */
type Json = Record<string, any>;

export function follow(document: Json, node: Json): Json {
  if (!node?.$ref) return node;
  const at = String(node.$ref)
    .replace('#/', '')
    .split('/')
    .reduce<any>((inside, name) => inside[name], document);
  return follow(document, at);
}

export const operationAt = (document: Json, method: string, path: string): Json =>
  document.paths[path][method.toLowerCase()];

/** Returns the response for this status, or the default response. */
export const responseAt = (document: Json, operation: Json, status: number | string): Json | undefined =>
  follow(document, operation.responses[status] ?? (Number(status) >= 400 ? operation.responses.default : undefined));

/** Returns the codes of an operation's refusals. A status with only one code identifies it. */
export function codesAt(document: Json, operation: Json): string[] {
  const known = ['default', ...Object.keys(operation.responses).filter((status) => Number(status) >= 400)];
  return [
    ...known.flatMap((status) => {
      const codes: string[] = follow(document, operation.responses[status])['x-codes'];
      return status === 'default' || codes.length === 1 ? codes : [];
    }),
    ...(operation['x-codes'] ?? []),
  ];
}

/** Returns the schema of a JSON response. */
export const answerAt = (document: Json, method: string, path: string, status: number | string): Json =>
  follow(
    document,
    responseAt(document, operationAt(document, method, path), status)!.content['application/json'].schema,
  );

/** Returns the schema of a JSON body, including inherited properties. */
export function bodyAt(document: Json, method: string, path: string): Json {
  const schema = follow(document, operationAt(document, method, path).requestBody.content['application/json'].schema);
  const taken = (schema.allOf ?? []).map((one: Json) => follow(document, one).properties);
  return { ...schema, properties: Object.assign({}, ...taken, schema.properties) };
}

/** Returns the parameters of the operation and of its path, with each property of exploded parameters. */
export const parametersAt = (document: Json, method: string, path: string): Json[] =>
  [...(document.paths[path].parameters ?? []), ...(operationAt(document, method, path).parameters ?? [])]
    .map((one) => follow(document, one))
    .flatMap((one) => {
      const { properties } = one.explode ? follow(document, one.schema) : {};
      if (!properties) return [one];
      return Object.entries<Json>(properties).map(([name, schema]) => ({ name, in: one.in, schema }));
    });
