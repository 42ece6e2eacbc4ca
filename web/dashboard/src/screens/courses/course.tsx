/** One course: its name, its visibility to customers, and its dates. */
import '../../ui/lists.css';
import './courses.css';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { COURSE_FIELDS, CourseForm } from './course-form.tsx';
import { Loading, Missing } from '../../ui/states.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { NewDates } from './dates-form.tsx';
import { Runs } from './runs.tsx';
import { useParam } from '../../app/address.ts';
import { usePropose } from '../../changes/change.tsx';
import { useVersioned } from '../../app/versioned.ts';
import { labelsFrom, WhoChanged } from '../../ui/history/index.tsx';
import { DetailsPage } from '../../ui/page.tsx';
import { words } from './words.ts';

export const { ready } = words;

const LABELS = labelsFrom(words, { name: 'name', published: 'published' });

export function Screen() {
  const business = useBusiness();
  const navigate = useNavigate();
  const propose = usePropose();
  const id = Number(useParam('course'));
  const found = useVersioned('GET /courses/{id}', { params: { id }, fields: COURSE_FIELDS });
  const [doing, setDoing] = useState<'edit' | 'dates' | null>(null);
  if (found.error && !found.data)
    return (
      <Missing error={found.error} again={() => void found.refetch()} title={words.say('course.missing')}>
        <Link to={`/${business.id}/courses` as string}>{words.say('title')}</Link>
      </Missing>
    );
  if (!found.data) return <Loading />;
  const { value: course } = found.data;
  const name = course.name ?? course.offering_type?.name ?? '';
  const changes = may(business, 'manage_events');
  const close = (): void => setDoing(null);
  const publish = (published: boolean): void =>
    void propose({
      title: words.say(published ? 'publish.of' : 'unpublish.of', { name }),
      confirm: words.say(published ? 'publish' : 'unpublish'),
      done: words.say(published ? 'publish.done' : 'unpublish.done', { name }),
      about: <p>{words.say(published ? 'publish.about' : 'unpublish.about')}</p>,
      call: () => clientOf(business.id).call('PATCH /courses/{id}', { params: { id }, body: { published } }),
    });
  return (
    <DetailsPage
      className="courses"
      back={{ to: 'courses', label: words.say('title') }}
      title={name}
      about={
        <p className="course-facts">
          <span className={course.published ? 'tag good' : 'tag'}>
            {words.say(course.published ? 'published' : 'draft')}
          </span>
          <span className="soft">{course.offering_type?.name}</span>
        </p>
      }
    >
      {changes ? (
        <div className="actions">
          <button type="button" onClick={() => setDoing('dates')}>
            {words.say('dates.new')}
          </button>
          <button type="button" className="second" onClick={() => publish(!course.published)}>
            {words.say(course.published ? 'unpublish' : 'publish')}
          </button>
          <button type="button" className="second" onClick={() => setDoing('edit')}>
            {words.say('course.edit')}
          </button>
        </div>
      ) : null}
      <h2>{words.say('dates')}</h2>
      <Runs course={id} />
      <WhoChanged object="course" id={id} labels={LABELS} />
      {doing === 'edit' ? <CourseForm known={found.data} refetch={found.refetch} onClose={close} /> : null}
      {doing === 'dates' ? (
        <NewDates
          course={id}
          onClose={close}
          onMade={(made) => void navigate({ to: `/${business.id}/courses/dates/${made}` as string })}
        />
      ) : null}
    </DetailsPage>
  );
}
