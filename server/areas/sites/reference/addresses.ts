/** URLs of the explanations of each declared thing: pages under /docs, and anchors on them. */
import type { Registry } from '../../../kernel/api/registry.ts';

type Operation = { readonly method: string; readonly path: string };

export const endpointAnchor = ({ method, path }: Operation): string =>
  `${method.toLowerCase()}-${path.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '')}`;
export const resourceAnchor = (name: string): string => `resource-${name}`;
export const errorAnchor = (code: string): string => `error-${code}`;
export const feedAnchor = (kind: string): string => `feed-${kind}`;

export const DOCS = '/docs';
export const ERRORS = `${DOCS}/errors`;
export const FEED_ITEMS = `${DOCS}/feed-items`;
export const OPERATIONS = `${DOCS}/operations`;
export const PERMISSIONS = `${DOCS}/permissions`;
export const topicPage = (topic: string): string => `${DOCS}/reference/${topic}`;
/** Returns the page of the feed items about a topic's resources. */
export const feedPage = (topic: string): string => `${FEED_ITEMS}/${topic}`;
/** Returns the page about who may call the operations of a topic. */
export const permissionsOfTopic = (topic: string): string => `${PERMISSIONS}/${topic}`;

export const errorAddress = (code: string): string => `${ERRORS}#${errorAnchor(code)}`;
export const operationAddress = (operation: Operation & { readonly topic: string }): string =>
  `${topicPage(operation.topic)}#${endpointAnchor(operation)}`;

/** A function that finds the page of a resource by its name. */
export type ResourceAddress = (name: string) => string;

export function resourceAddresses(registry: Registry): ResourceAddress {
  const topicOf = resourceTopics(registry);
  return (name) => `${topicPage(topicOf(name))}#${resourceAnchor(name)}`;
}

/** Returns a function that finds the topic of a resource by its name. */
export function resourceTopics({ topics }: Registry): (name: string) => string {
  const all = new Map(topics.flatMap(({ name: topic, resources = [] }) => resources.map(({ name }) => [name, topic])));
  return (name) => all.get(name)!;
}

export const titleOf = (topic: string): string => topic[0].toUpperCase() + topic.slice(1).replaceAll('_', ' ');

/**
 * Returns the common form of `/events/7/cancel`, `/events/{id}/cancel` and `/api/v2/events/{id}/cancel?dry_run=true`.
 */
const plan = (path: string): string =>
  path
    .replace(/^\/api\/v2(?=\/)/, '')
    .replace(/\?.*$/, '')
    .replaceAll(/\{[^}]+\}|\b\d+\b/g, '{}');

/** Returns a function that finds the anchor of an operation that a text names; null if it names none. */
export function operationPlaces({ endpoints }: Registry): (text: string) => string | null {
  const places = new Map<string, string>(endpoints.map((e) => [`${e.method} ${plan(e.path)}`, operationAddress(e)]));
  return (text) => {
    const [, method, path] = /^(GET|POST|PUT|PATCH|DELETE) (\/\S+)$/.exec(text) ?? [];
    return method === undefined ? null : (places.get(`${method} ${plan(path)}`) ?? null);
  };
}
