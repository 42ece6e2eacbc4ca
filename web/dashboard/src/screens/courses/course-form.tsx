/** The name and offering type of a course. Its dates are added afterwards. */
import { clientOf } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { NoOffering } from './no-offering.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { useBusiness } from '../../app/business.ts';
import { useFormVersion } from '../../app/versioned.ts';
import { useCall } from '../../app/calls.ts';
import { words } from './words.ts';

export const COURSE_FIELDS = ['id', 'name', 'published', 'offering_type.id', 'offering_type.name'] as const;

interface Known {
  readonly value: { readonly id: number; readonly name: string | null };
  readonly etag: string | null;
}

export interface CourseFormProps {
  /** absent for a new course */
  readonly known?: Known;
  readonly refetch?: () => Promise<{ readonly data: Known | undefined }>;
  readonly onClose: () => void;
  readonly onMade?: (id: number) => void;
}

/** Higher than the number that any business has. */
const MAX_ROWS = 100;

export function CourseForm({ known, refetch, onClose, onMade }: CourseFormProps) {
  const { id: business } = useBusiness();
  const { opened, readAgain } = useFormVersion(known, refetch);
  const { value: course, etag: ifMatch } = opened ?? {};
  const offerings = useCall('GET /offering_types', {
    query: { status: 'active', sort: ['name'], page_size: MAX_ROWS },
    fields: ['id', 'name', 'schedule_type'],
  });
  const taught = (offerings.data?.results ?? []).filter(({ schedule_type }) => schedule_type === 'course');
  const title = words.say(course ? 'course.edit' : 'course.new');
  if (offerings.data && taught.length === 0 && !course) return <NoOffering title={title} onClose={onClose} />;
  return (
    <ProposalForm<{ readonly id: number }>
      title={title}
      submit={words.say(course ? 'save' : 'course.add')}
      onClose={onClose}
      readAgain={readAgain}
      onMade={({ id }) => {
        onClose();
        onMade?.(id);
      }}
      proposal={({ name, offering_type }) => ({
        title,
        confirm: words.say(course ? 'save' : 'course.add'),
        done: words.say(course ? 'saved' : 'course.added'),
        call: () =>
          course
            ? clientOf(business).call('PATCH /courses/{id}', {
                params: { id: course.id },
                body: { name: name || null },
                ...(ifMatch && { ifMatch }),
                fields: COURSE_FIELDS,
              })
            : clientOf(business).call('POST /courses', {
                body: { name: name || null, offering_type: Number(offering_type) },
                fields: COURSE_FIELDS,
              }),
      })}
    >
      {(errors) => (
        <>
          {course ? null : (
            <Field label={words.say('offering')} hint={words.say('offering.hint')} errors={errors('offering_type')}>
              <select name="offering_type">
                {taught.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </Field>
          )}
          <Field label={words.say('name')} hint={words.say('name.hint')} errors={errors('name')}>
            <input name="name" autoComplete="off" maxLength={256} defaultValue={course?.name ?? ''} />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
