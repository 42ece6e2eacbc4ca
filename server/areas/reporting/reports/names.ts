/**
 * The names by which callers choose columns: `customer.name`, its alias `customer_name`, or `customer` for all of them.
 */
import { Field, type Shape } from '../../../kernel/base/fields/field.ts';
import { called, object } from '../../../kernel/base/fields/kinds.ts';
import type { Column, Columns } from './columns.ts';

/** Returns every name with the keys of its columns. */
export function namesOf(columns: Columns): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  const add = (name: string, key: string): void => {
    const keys = names.get(name) ?? [];
    if (!keys.includes(key)) names.set(name, [...keys, key]);
  };
  for (const [key, { alias }] of Object.entries(columns)) {
    if (alias) add(alias, key);
    const path = key.split('.');
    for (let length = path.length; length > 0; length--) add(path.slice(0, length).join('.'), key);
  }
  return names;
}

/** Returns the keys of the columns with these names, each once, in the requested order. */
export const keysOf = (names: ReadonlyMap<string, readonly string[]>, asked: readonly string[]): string[] => [
  ...new Set(asked.flatMap((name) => names.get(name) ?? [])),
];

interface Tree {
  [name: string]: Column | Tree;
}

const isColumn = (node: Column | Tree): node is Column => (node as Column).field instanceof Field;

function treeOf(columns: Columns): Tree {
  const tree: Tree = {};
  for (const [key, column] of Object.entries(columns)) {
    const path = key.split('.');
    const last = path.pop()!;
    let at = tree;
    for (const name of path) at = (at[name] ??= {}) as Tree;
    at[last] = column;
  }
  return tree;
}

/** Returns the shape of a row: each column at the place of its key, with its own description. */
export const rowShape = (columns: Columns): Shape => shapeOf(treeOf(columns), '');

const shapeOf = (tree: Tree, within: string): Shape =>
  Object.fromEntries(
    Object.entries(tree).map(([name, node]) => [
      name,
      (isColumn(node)
        ? node.field.nullable().describe(meaning(node))
        : called(`report_${partName(name, node, within)}`, object(shapeOf(node, name)))
      ).optional(),
    ]),
  );

/**
 * Names of the objects in rows, where the interface is described. Reports have customers, venues and instructors of
 * several forms: the name says which of them it is.
 */
function partName(
  name: string,
  { id, name: named, email: _usual, code: _too, ...others }: Tree,
  within: string,
): string {
  if (id && !named) return `${name}_with_id`;
  if (!named || !isColumn(named)) return name;
  if (!id) return Object.keys(others).length > 0 || _too ? `${name}_without_id` : name;
  const more = Object.keys(others);
  const form = named.for ? `private_${name}` : named.several ? `each_${name}` : name;
  return `${within === 'customer' ? 'customer_' : ''}${form}${more.length === 1 ? `_with_${more[0]}` : ''}`;
}

/** Returns the meaning of a column, and who sees it. */
export const meaning = ({ means, for: permissions }: Column): string =>
  permissions === undefined
    ? means
    : `${means} Null for staff without the permission ${permissions.map((name) => `\`${name}\``).join(' or ')}.`;

/** `customer.date_of_birth` → `Customer date of birth` */
export function labelOf(key: string): string {
  const words = key.replaceAll(/[._]/g, ' ').replace(/\bid\b/g, 'ID');
  return words[0].toUpperCase() + words.slice(1);
}

/** Returns a function that nests values by their keys: the names between the dots are nested objects. */
export function nester(keys: readonly string[]): (values: readonly unknown[]) => Record<string, any> {
  const places = keys.map((key) => ({
    around: key.split('.').slice(0, -1),
    last: key.slice(key.lastIndexOf('.') + 1),
  }));
  return (values) => {
    const row: Record<string, any> = {};
    for (const [n, { around, last }] of places.entries()) {
      let at = row;
      for (const name of around) at = at[name] ??= {};
      at[last] = values[n];
    }
    return row;
  };
}
