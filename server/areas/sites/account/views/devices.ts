/** The devices on which somebody gets notifications, and the button that turns them on for the current device. */
import {
  at,
  type Business,
  buttonForm,
  idFields,
  pushFields,
  section,
  type AccountWritten as Written,
} from '../../frame/index.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { momentIn } from '../../../../kernel/base/languages/times.ts';
import { readFileSync } from 'node:fs';
import { scriptOf } from '../../../../kernel/pages/script.ts';
import type { Visit } from '../../../../kernel/pages/visit.ts';

type At = Visit<Business>;

export const PUSH_SCRIPT = scriptOf('push', readFileSync(new URL('../push.js', import.meta.url), 'utf8'));

interface Device {
  readonly id: number;
  readonly name: string | null;
  /** by which a browser recognizes itself */
  readonly hash: string;
  readonly since: number;
}

export interface DevicesView {
  /** key with which a device subscribes; null: the business no longer sends any */
  readonly key: string | null;
  readonly devices: readonly Device[];
}

export function devicesCard(visit: At, written: Written, { key, devices }: DevicesView): Html {
  const { say } = written;
  const { site, token } = visit;
  return section(
    'devices',
    say('push.title'),
    html`<p class="soft">${say('push.text', { name: site.name })}</p>
${devices.length === 0 ? null : html`<ul class="rows">${devices.map((one) => row(visit, written, one))}</ul>`}
${
  key === null
    ? null
    : html`<p data-without-push>${say('push.unsupported')}</p>
<div data-push="${key}" hidden>${buttonForm({
        fields: pushFields,
        kept: {},
        action: at(site, 'profile/messages/devices/on'),
        button: say('push.on'),
        tone: 'quiet',
        token,
      })}
<p class="wrong" role="alert" data-failed hidden>${say('push.failed')}</p></div>`
}`,
  );
}

const row = ({ site, token }: At, { say, reader }: Written, { id, name, hash, since }: Device): Html =>
  html`<li data-device="${hash}"><div><strong>${name ?? say('push.unnamed')}</strong><span data-this hidden>
<span class="tag">${say('push.this')}</span></span>
<p class="soft">${say('push.since', { when: momentIn(reader.locale, since, site.tenant.zone) })}</p></div>
${buttonForm({
  fields: idFields,
  kept: { id: String(id) },
  action: at(site, 'profile/messages/devices/off'),
  button: say('push.off'),
  tone: 'danger',
  token,
})}</li>`;
