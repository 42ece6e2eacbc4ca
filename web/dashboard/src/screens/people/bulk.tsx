/** The actions on several customers together. Each customer has their own result. */
import { useState } from 'react';
import { Dated } from './bulk-memberships.tsx';
import { DeleteChosen } from './bulk-delete.tsx';
import { firstOf, queryOf } from './found.ts';
import { MessageChosen } from '../../person/message.tsx';
import { Many, type One } from '../../changes/many.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { clientOf } from '../../app/client.ts';
import { useAddress } from '../../app/address.ts';
import { useLabels, useStatuses } from '../../app/customers.ts';
import { words } from './words.ts';

type Chosen = ReadonlyMap<number, string>;

/** A larger number would take minutes. */
const MAX_CHOSEN = 500;

const KINDS = ['add_label', 'remove_label', 'set_status', 'hold', 'extend', 'message', 'delete'] as const;
type Kind = (typeof KINDS)[number];

export interface BulkBarProps {
  readonly chosen: Chosen;
  readonly onChosen: (chosen: Chosen) => void;
}

export function BulkBar({ chosen, onChosen }: BulkBarProps) {
  const business = useBusiness();
  const [address] = useAddress();
  const [kind, setKind] = useState<Kind>('add_label');
  const [value, setValue] = useState('');
  const [doing, setDoing] = useState<Kind | null>(null);
  const labels = useLabels();
  const statuses = useStatuses();
  const kinds = KINDS.filter((one) => (one !== 'delete' && one !== 'message') || may(business, 'super_admin'));
  const choices =
    kind === 'set_status'
      ? (statuses.data?.results ?? []).map(({ slug, name }) => [slug, name] as const)
      : (labels.data?.results ?? []).map(({ id, name }) => [String(id), name] as const);
  const wantsChoice = kind === 'add_label' || kind === 'remove_label' || kind === 'set_status';
  const said = choices.find(([one]) => one === value)?.[1];
  const selectFound = async (): Promise<void> => onChosen(await firstOf(business.id, queryOf(address), MAX_CHOSEN));
  if (chosen.size === 0)
    return (
      <p>
        <button type="button" className="plain" onClick={() => void selectFound()}>
          {words.say('bulk.all', { n: MAX_CHOSEN })}
        </button>
      </p>
    );
  return (
    <div className="bulk" role="group" aria-label={words.say('bulk')}>
      <strong role="status">{words.say('bulk.chosen', { n: chosen.size })}</strong>
      <select
        aria-label={words.say('bulk.what')}
        value={kind}
        onChange={(event) => {
          setKind(event.target.value as Kind);
          setValue('');
        }}
      >
        {kinds.map((one) => (
          <option key={one} value={one}>
            {words.say(`bulk.${one}`)}
          </option>
        ))}
      </select>
      {wantsChoice ? (
        <select
          aria-label={words.say(kind === 'set_status' ? 'filter.status' : 'filter.label')}
          value={value}
          onChange={(event) => setValue(event.target.value)}
        >
          <option value="">{words.say('bulk.choose')}</option>
          {choices.map(([one, name]) => (
            <option key={one} value={one}>
              {name}
            </option>
          ))}
        </select>
      ) : null}
      <button type="button" disabled={wantsChoice && said === undefined} onClick={() => setDoing(kind)}>
        {words.say('bulk.go')}
      </button>
      <button type="button" className="second" onClick={() => onChosen(new Map())}>
        {words.say('bulk.clear')}
      </button>
      {(doing === 'add_label' || doing === 'remove_label' || doing === 'set_status') && said !== undefined ? (
        <Many
          title={words.say(`bulk.${doing}.title`, { what: said })}
          all={onesOf(business.id, doing, value, chosen)}
          onClose={() => setDoing(null)}
        />
      ) : null}
      {doing === 'hold' || doing === 'extend' ? (
        <Dated kind={doing} chosen={chosen} onClose={() => setDoing(null)} />
      ) : null}
      {doing === 'message' ? <MessageChosen chosen={chosen} onClose={() => setDoing(null)} /> : null}
      {doing === 'delete' ? (
        <DeleteChosen chosen={chosen} onClose={() => setDoing(null)} onDeleted={() => onChosen(new Map())} />
      ) : null}
    </div>
  );
}

function onesOf(
  business: number,
  kind: 'add_label' | 'remove_label' | 'set_status',
  value: string,
  chosen: Chosen,
): readonly One[] {
  const client = clientOf(business);
  return [...chosen].map(([id, label]) => ({
    key: id,
    label,
    call: () => {
      const fields = ['id'] as const;
      if (kind === 'set_status')
        return client.call('POST /customers/{id}/set_status', { params: { id }, body: { status: value }, fields });
      const asked = { params: { id }, body: { label: Number(value) }, fields };
      return kind === 'add_label'
        ? client.call('POST /customers/{id}/add_label', asked)
        : client.call('POST /customers/{id}/remove_label', asked);
    },
  }));
}
