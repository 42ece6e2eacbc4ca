/**
 * The four templates of the screens: a home shows what there is to do, a list finds things and opens them, details are
 * about one thing, with the way back to its list, and settings change how the business works.
 */
import { Link } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { useBusiness } from '../app/business.ts';

export interface PageProps {
  readonly title: string;
  /** below the title */
  readonly about?: ReactNode;
  /** at the end of the line of the title */
  readonly tools?: ReactNode;
  /** class of the page, for the styles of the screen */
  readonly className?: string;
  readonly children: ReactNode;
}

export interface Back {
  /** below the address of the business */
  readonly to: string;
  readonly label: string;
}

/** Renders the page. With `back` it is about one thing, which the title of the browser's window names. */
function Page({ title, about, tools, back, className, children }: PageProps & { readonly back?: Back }) {
  const business = useBusiness();
  const isOne = back !== undefined;
  useEffect(() => {
    if (isOne) document.title = `${title} – ${business.name}`;
  }, [isOne, title, business.name]);
  return (
    <div className={className}>
      {back ? (
        <p className="small back">
          <Link to={`/${business.id}/${back.to}` as string}>{back.label}</Link>
        </p>
      ) : null}
      {tools ? (
        <div className="screen-top">
          <div>
            <h1>{title}</h1>
            {about}
          </div>
          {tools}
        </div>
      ) : (
        <>
          <h1>{title}</h1>
          {about}
        </>
      )}
      {children}
    </div>
  );
}

export const HomePage = (props: PageProps) => <Page {...props} />;
export const ListPage = (props: PageProps) => <Page {...props} />;
export const DetailsPage = (props: PageProps & { readonly back: Back }) => <Page {...props} />;
export const SettingsPage = (props: PageProps & { readonly back?: Back }) => <Page {...props} />;
