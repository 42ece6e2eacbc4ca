/** Workflows: automatic actions when something happens to a customer. */
import './workflows.css';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Listed, NextSteps, type NextStep } from '../../ui/listed.tsx';
import { ReadyWorkflows } from './ready.tsx';
import { said } from '../../triggers/triggers.ts';
import { useBusiness } from '../../app/business.ts';
import { usePages } from '../../app/pages.ts';
import { WorkflowForm } from './workflow-form.tsx';
import { ListPage } from '../../ui/page.tsx';
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
  const next: readonly NextStep[] = [{ label: words.say('new'), needs: ['super_admin'], act: () => setCreating(true) }];
  return (
    <ListPage
      className="workflows"
      title={words.say('title')}
      tools={
        <div className="tools">
          <NextSteps list={list} next={next} />
        </div>
      }
    >
      <p>{words.say('about')}</p>
      <Listed list={list} none={words.say('none')} next={next}>
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
    </ListPage>
  );
}
