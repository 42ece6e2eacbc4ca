/** Workflows: automatic actions when something happens to a customer. */
import './workflows.css';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Listed } from '../../ui/listed.tsx';
import { ReadyWorkflows } from './ready.tsx';
import { said } from './triggers.ts';
import { useBusiness } from '../../app/business.ts';
import { usePages } from '../../app/pages.ts';
import { WorkflowForm } from './workflow-form.tsx';
import { words } from './words.ts';

export const { ready } = words;

export function Screen() {
  const { id: business } = useBusiness();
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  const list = usePages('GET /crm/workflows', {
    query: { sort: ['name'], page_size: 50 },
    fields: ['id', 'name', 'trigger', 'is_enabled'],
  });
  const show = (id: number): void => void navigate({ to: `/${business}/workflows/${id}` as string });
  return (
    <div className="workflows">
      <div className="screen-top">
        <h1>{words.say('title')}</h1>
        <div className="tools">
          <button type="button" onClick={() => setCreating(true)}>
            {words.say('new')}
          </button>
        </div>
      </div>
      <p>{words.say('about')}</p>
      <Listed list={list} none={words.say('none')}>
        {(all) => (
          <ul className="rows" aria-label={words.say('title')}>
            {all.map(({ id, name, trigger, is_enabled }) => (
              <li key={id}>
                <span>
                  <Link to={`/${business}/workflows/${id}` as string}>{name ?? words.say('nameless')}</Link>{' '}
                  <span className="soft small">{said(trigger)}</span>
                </span>
                <span className={is_enabled ? 'tag good end' : 'tag end'}>{words.say(is_enabled ? 'on' : 'off')}</span>
              </li>
            ))}
          </ul>
        )}
      </Listed>
      <ReadyWorkflows onMade={show} />
      {creating ? <WorkflowForm onClose={() => setCreating(false)} onMade={show} /> : null}
    </div>
  );
}
