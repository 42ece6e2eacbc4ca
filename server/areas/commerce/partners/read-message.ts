/** Reads the body of a partner's message, as the interface declares it. */
import { invalid, Issues } from '../../../kernel/base/problem.ts';
import { messageBody, platformPerson, type PartnerMessage } from './message-body.ts';
import { readShape, type Shape } from '../../../kernel/base/fields/field.ts';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Partners may send more than we read, and null for what they leave out. */
const declaredIn = (shape: Shape, input: Json): Json =>
  Object.fromEntries(
    Object.keys(shape).flatMap((name) =>
      input[name] === undefined || input[name] === null ? [] : [[name, input[name]]],
    ),
  );

/** Returns the message. @throws Problem that names every property that is wrong */
export function readMessage(body: string): PartnerMessage {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw invalid('body', 'Must be JSON.');
  }
  if (!isObject(value)) throw invalid('body', 'Must be a JSON object.');
  const { person } = value;
  const known = isObject(person) ? { ...value, person: declaredIn(platformPerson, person) } : value;
  const issues = new Issues();
  const message = readShape(messageBody, declaredIn(messageBody, known), '', { issues, text: false, zone: 'UTC' });
  issues.throwIfAny();
  return message!;
}
