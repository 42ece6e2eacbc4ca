/** Renders the field of a setting, by its kind. */
import { lazy, Suspense, type ComponentType } from 'react';
import { Choice, Color, Country, Input, Language, Lifetime, Long, Minutes, One, Switch, Zone } from './simple.tsx';
import { Loading } from '../../../ui/states.tsx';
import { Choices, Many, People } from './several.tsx';
import { Rows } from './rows.tsx';
import { Image, Images } from './pictures.tsx';
import { LibraryFile } from './library-file.tsx';
import type { FieldOf } from './field-of.ts';
import type { Kind } from '../declared/setting.ts';

/** Loaded with its texts when a form has it. */
const Triggers = lazy(async () => ({ default: (await import('./triggers.tsx')).Triggers }));

const FIELDS: Readonly<Record<Kind, ComponentType<FieldOf>>> = {
  text: Input,
  email: Input,
  tel: Input,
  secret: Input,
  number: Input,
  decimal: Input,
  money: Input,
  percent: Input,
  time: Input,
  date: Input,
  numbers: Input,
  amounts: Input,
  long: Long,
  lines: Long,
  switch: Switch,
  choice: Choice,
  choices: Choices,
  country: Country,
  language: Language,
  zone: Zone,
  lifetime: Lifetime,
  triggers: (props) => (
    <Suspense fallback={<Loading />}>
      <Triggers {...props} />
    </Suspense>
  ),
  minutes: Minutes,
  color: Color,
  image: Image,
  images: Images,
  file: LibraryFile,
  one: One,
  many: Many,
  people: People,
  rows: (props) => <Rows {...props} Shown={SettingField} />,
};

export function SettingField(props: FieldOf) {
  const Shown = FIELDS[props.setting.kind];
  return <Shown {...props} />;
}
