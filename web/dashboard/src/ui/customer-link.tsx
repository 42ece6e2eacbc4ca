/** The name of a customer. For staff who may see it, it opens their card at the side of the screen. */
import { Link } from '@tanstack/react-router';
import { maySeeCustomers } from '../app/customers.ts';
import { useBusiness } from '../app/business.ts';

export interface CustomerLinkProps {
  readonly id: number;
  readonly name: string;
}

export function CustomerLink({ id, name }: CustomerLinkProps) {
  const business = useBusiness();
  const text = name || `#${id}`;
  if (!maySeeCustomers(business)) return <span>{text}</span>;
  const search = (before: Readonly<Record<string, string>>) => ({ ...before, person: String(id) });
  return (
    <Link to="." search={search as never} resetScroll={false}>
      {text}
    </Link>
  );
}
