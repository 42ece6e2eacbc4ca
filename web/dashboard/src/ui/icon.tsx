/** Icons are decoration next to words, and are hidden from screen readers. */
export function Icon({ of: body, large = false }: { readonly of: string; readonly large?: boolean }) {
  return (
    <svg
      className={large ? 'icon large' : 'icon'}
      viewBox="0 0 24 24"
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html: body }}
    />
  );
}
