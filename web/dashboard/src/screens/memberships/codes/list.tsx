/** Discount codes: the discount of each, how often it was used, and whether customers can enter it now. */
import { useState } from 'react';
import { ChoiceFilter, ClearFilters, TextFilter } from '../../../ui/filters.tsx';
import { clientOf } from '../../../app/client.ts';
import { CodeForm } from './form.tsx';
import { Generate } from './generate.tsx';
import { Listed, NextSteps, type NextStep } from '../../../ui/listed.tsx';
import { Objects } from './objects.tsx';
import { RowButton } from '../../../ui/row-button.tsx';
import { saidOf, useCodes, useGroups, type CodeRead } from './read.ts';
import { useAddress } from '../../../app/address.ts';
import { useBusiness } from '../../../app/business.ts';
import { usePropose } from '../../../changes/change.tsx';
import { words } from '../words.ts';

const STATUSES = ['active', 'inactive'] as const;

export function Codes() {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const [address] = useAddress();
  const [doing, setDoing] = useState<'new' | 'generate' | null>(null);
  const status = STATUSES.find((one) => one === address.status);
  const group = Number(address.group) || undefined;
  const groups = useGroups();
  const list = useCodes({ status, group, query: address.query });
  // Both calls change every code of the group or the query. With a filter by status, only the one that changes nothing
  // outside of the list is offered. All codes of the business have to be found on purpose.
  const found = { ...(group !== undefined && { group }), ...(address.query && { query: address.query }) };
  const isNarrow = Object.keys(found).length > 0;
  const switchAll = (on: boolean): void =>
    void propose({
      title: words.say(on ? 'codes.activate' : 'codes.deactivate'),
      done: words.say('codes.switched'),
      call: () =>
        on
          ? clientOf(business).call('POST /discount_codes/activate_all', { query: found, body: {} })
          : clientOf(business).call('POST /discount_codes/deactivate_all', { query: found, body: {} }),
    });
  const next: readonly NextStep[] = [
    { label: words.say('code.new'), needs: ['discount_codes'], act: () => setDoing('new') },
  ];
  return (
    <>
      <div className="tools" role="search" aria-label={words.say('filters')}>
        <TextFilter name="query" label={words.say('codes.query')} />
        <ChoiceFilter
          name="status"
          label={words.say('status')}
          any={words.say('any')}
          choices={STATUSES.map((one) => [one, words.say(`code.${one}`)])}
        />
        <ChoiceFilter
          name="group"
          label={words.say('group')}
          any={words.say('any')}
          choices={(groups.data?.results ?? []).map(({ id, name }) => [String(id), name])}
        />
        <ClearFilters names={['query', 'status', 'group']} />
      </div>
      <div className="actions">
        <NextSteps list={list} next={next} />
        <button type="button" className="second" onClick={() => setDoing('generate')}>
          {words.say('codes.generate')}
        </button>
        {isNarrow && status !== 'active' ? (
          <button type="button" className="second" onClick={() => switchAll(true)}>
            {words.say('codes.activate')}
          </button>
        ) : null}
        {isNarrow && status !== 'inactive' ? (
          <button type="button" className="second" onClick={() => switchAll(false)}>
            {words.say('codes.deactivate')}
          </button>
        ) : null}
      </div>
      <Listed list={list} none={words.say(isNarrow || status ? 'codes.none' : 'codes.first')} next={next}>
        {(all) => (
          <ul className="rows" aria-label={words.say('tab.codes')}>
            {all.map((code) => (
              <Row key={code.id} code={code} />
            ))}
          </ul>
        )}
      </Listed>
      {doing === 'new' ? <CodeForm onClose={() => setDoing(null)} /> : null}
      {doing === 'generate' ? <Generate onClose={() => setDoing(null)} /> : null}
    </>
  );
}

function Row({ code }: { readonly code: CodeRead }) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const [doing, setDoing] = useState<'edit' | 'objects' | null>(null);
  const isOn = code.status === 'active';
  const turn = (): void =>
    void propose({
      title: words.say(isOn ? 'code.deactivate.of' : 'code.activate.of', { name: code.code }),
      confirm: words.say(isOn ? 'code.deactivate' : 'code.activate'),
      done: words.say('saved', { name: code.code }),
      call: () =>
        clientOf(business).call('PATCH /discount_codes/{id}', {
          params: { id: code.id },
          body: { status: isOn ? 'inactive' : 'active' },
        }),
    });
  return (
    <li>
      <strong>{code.code}</strong>
      <span>{code.name}</span>
      <span className={isOn ? 'tag good' : 'tag'}>{words.say(`code.${code.status}`)}</span>
      {code.group ? <span className="tag">{code.group.name}</span> : null}
      <span className="end row-actions">
        <RowButton text={words.say('code.objects')} about={code.code} onClick={() => setDoing('objects')} />
        <RowButton text={words.say('edit')} about={code.code} onClick={() => setDoing('edit')} />
        <RowButton text={words.say(isOn ? 'code.deactivate' : 'code.activate')} about={code.code} onClick={turn} />
      </span>
      <span className="soft small whole">{saidOf(code)}</span>
      {doing === 'edit' ? <CodeForm code={code} onClose={() => setDoing(null)} /> : null}
      {doing === 'objects' ? <Objects code={code} onClose={() => setDoing(null)} /> : null}
    </li>
  );
}
