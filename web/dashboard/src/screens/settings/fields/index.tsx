/** Renders the field of a setting, by its kind. */
import type { ComponentType } from 'react';
import { Choice, Color, Input, Long, Minutes, One, Switch, Zone } from './simple.tsx';
import { Choices, Many, People } from './several.tsx';
import { Rows } from './rows.tsx';
import { Image, Images } from './pictures.tsx';
import { LibraryFile } from './library-file.tsx';
import type { FieldOf } from './field-of.ts';
import type { Kind } from '../declared/setting.ts';

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
  zone: Zone,
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
