/** Courses: classes that are taught over several sessions. */
import './courses.css';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ChoiceFilter } from '../../ui/filters.tsx';
import { CourseForm } from './course-form.tsx';
import { Listed, NextSteps, type NextStep } from '../../ui/listed.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { useAddress } from '../../app/address.ts';
import { usePages } from '../../app/pages.ts';
import { words as ofInstructors } from '../../ui/instructors/words.ts';
import { ListPage } from '../../ui/page.tsx';
import { words } from './words.ts';

export const ready = Promise.all([words.ready, ofInstructors.ready]).then(() => {});

export function Screen() {
  const business = useBusiness();
  const navigate = useNavigate();
  const [{ published }] = useAddress();
  const [adding, setAdding] = useState(false);
  const list = usePages('GET /courses', {
    query: { ...(published && { published: published === 'true' }), page_size: 50 },
    fields: ['id', 'name', 'published', 'offering_type.name'],
  });
  const changes = may(business, 'manage_events');
  const next: readonly NextStep[] = [
    { label: words.say('course.new'), needs: ['manage_events'], act: () => setAdding(true) },
  ];
  return (
    <ListPage title={words.say('title')}>
      <div className="tools" role="search" aria-label={words.say('filter')}>
        <ChoiceFilter
          name="published"
          label={words.say('status')}
          any={words.say('all')}
          choices={[
            ['true', words.say('published')],
            ['false', words.say('draft')],
          ]}
        />
        <NextSteps list={list} next={next} />
      </div>
      <Listed list={list} none={words.say(published ? 'none' : changes ? 'first' : 'first.ask')} next={next}>
        {(all) => (
          <ul className="rows">
            {all.map(({ id, name, published: isPublished, offering_type }) => (
              <li key={id}>
                <Link to={`/${business.id}/courses/${id}` as string}>
                  <strong>{name ?? offering_type?.name}</strong>
                </Link>
                {name ? <span className="soft">{offering_type?.name}</span> : null}
                {isPublished ? null : <span className="tag end">{words.say('draft')}</span>}
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {adding ? (
        <CourseForm
          onClose={() => setAdding(false)}
          onMade={(id) => void navigate({ to: `/${business.id}/courses/${id}` as string })}
        />
      ) : null}
    </ListPage>
  );
}
