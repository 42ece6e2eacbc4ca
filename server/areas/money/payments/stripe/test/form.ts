/** Request bodies in Stripe's format: `line_items[0][price_data][currency]=cad`. */
export type Form = { [name: string]: string | Form };

/** Parses the body and nests it by the brackets of the names; a list is an object with indexes as names. */
export function readForm(text: string): Form {
  const form: Form = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll(']', '').split('[');
    let at = form;
    for (const part of path.slice(0, -1)) {
      if (typeof at[part] !== 'object') at[part] = Object.create(null) as Form;
      at = at[part] as Form;
    }
    at[path.at(-1)!] = value;
  }
  return form;
}

export const textOf = (form: Form, name: string): string | null => {
  const value = form[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

export const formOf = (form: Form, name: string): Form => (typeof form[name] === 'object' ? (form[name] as Form) : {});

export const textsOf = (form: Form, name: string): string[] =>
  Object.values(formOf(form, name)).filter((value) => typeof value === 'string');
