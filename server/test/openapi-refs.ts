/** Reading the OpenAPI document as its readers do: by following what it refers to. */
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

/** The response of this status, or the one for every other status. */
export const responseAt = (document: Json, operation: Json, status: number | string): Json | undefined =>
  follow(document, operation.responses[status] ?? (Number(status) >= 400 ? operation.responses.default : undefined));

/** The schema of a JSON answer. */
export const answerAt = (document: Json, method: string, path: string, status: number | string): Json =>
  follow(
    document,
    responseAt(document, operationAt(document, method, path), status)!.content['application/json'].schema,
  );

/** The schema of a JSON body, with what it takes over from another one. */
export function bodyAt(document: Json, method: string, path: string): Json {
  const schema = follow(document, operationAt(document, method, path).requestBody.content['application/json'].schema);
  return { ...schema, properties: { ...follow(document, schema.allOf?.[0] ?? {}).properties, ...schema.properties } };
}

/** Parameters of the operation and of its path. */
export const parametersAt = (document: Json, method: string, path: string): Json[] =>
  [...(document.paths[path].parameters ?? []), ...(operationAt(document, method, path).parameters ?? [])].map((one) =>
    follow(document, one),
  );
