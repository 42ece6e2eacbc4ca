import { words } from './words.ts';

export function StatusTag({ status }: { readonly status: 'active' | 'paused' | 'disabled' }) {
  const look = { active: 'tag good', paused: 'tag', disabled: 'tag wrong' }[status];
  return <span className={`${look} end`}>{words.say(`webhook.${status}`)}</span>;
}
