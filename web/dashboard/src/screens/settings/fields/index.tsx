/** The field of a setting, by its kind. */
import type { ComponentType } from 'react';
import { Choice, Color, Input, Long, Minutes, One, Switch, Zone } from './simple.tsx';
import { Choices, Many, People, Rows } from './several.tsx';
import { Image, Images } from './pictures.tsx';
import type { Answer, Typed } from '../values.ts';
import type { ErrorsOf } from '../../../changes/proposal-form.tsx';
import type { Kind, Setting } from '../declared/setting.ts';

export interface FieldOf {
  /** the name of the form or collection */
  readonly form: string;
  readonly setting: Setting;
  /** what stands in the fields at first */
  readonly typed: Typed;
  readonly errors: ErrorsOf;
  /** what the interface said of the object; null: it is a new one */
  readonly answer: Answer | null;
}

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
  numbers: Input,
  amounts: Input,
  long: Long,
  lines: Long,
  switch: Switch,
  choice: Choice,
  choices: Choices,
  zone: Zone,
  minutes: Minutes,
  color: Color,
  image: Image,
  images: Images,
  one: One,
  many: Many,
  people: People,
  rows: Rows,
};

export function SettingField(props: FieldOf) {
  const Shown = FIELDS[props.setting.kind];
  return <Shown {...props} />;
}
