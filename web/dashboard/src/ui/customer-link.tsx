/** The name of a customer, linked to their page for staff who may see it. */
import { Link } from '@tanstack/react-router';
import { may, useBusiness } from '../app/business.ts';

export interface CustomerLinkProps {
  readonly id: number;
  readonly name: string;
  /** tab of the page */
  readonly tab?: 'account' | 'memberships';
}

export function CustomerLink({ id, name, tab = 'account' }: CustomerLinkProps) {
  const business = useBusiness();
  const text = name || `#${id}`;
  if (!may(business, 'customers', 'attendances', 'instructor_attendances', 'pos')) return <span>{text}</span>;
  return <Link to={`/${business.id}/people/${id}?tab=${tab}` as string}>{text}</Link>;
}
