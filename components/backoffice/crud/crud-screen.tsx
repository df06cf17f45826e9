"use client";

import clsx from "clsx";
import { Download, History, Pencil, Trash2 } from "lucide-react";
import { type ReactElement, useState } from "react";
import type { FieldValues } from "react-hook-form";
import { Alert } from "@/components/ui/alert";
import { Button, ButtonLink } from "@/components/ui/button";
import { PlusIcon } from "@/components/ui/icons";
import { RetryAlert } from "@/components/ui/retry-alert";
import { Spinner } from "@/components/ui/spinner";
import { queryOfView } from "@/lib/backoffice/view";
import { RowButton } from "./cells";
import { CrudDialogs, type OpenDialog } from "./crud-dialogs";
import type { CrudEntity, CrudRow, ListEntity } from "./crud-entity";
import { CrudFilters } from "./crud-filters";
import { CrudPaging } from "./crud-paging";
import { CrudSelection } from "./crud-selection";
import { CrudTable } from "./crud-table";
import { useCrudActions } from "./use-crud-actions";
import { useCrudList } from "./use-crud-list";
import { focusList, useRowFocus } from "./use-row-focus";

/**
 * For the element that contains the list. Where the whole page scrolls instead of the list alone, this
 * scrolls the focused element out from under the notice.
 */
const BELOW_NOTICE =
  "max-lg:[&_td_:is(a,button,input)]:scroll-mt-[calc(40dvh+5rem)] [@media(max-height:40rem)]:[&_td_:is(a,button,input)]:scroll-mt-[calc(40dvh+5rem)]";

/**
 * The one screen of the back office: a table whose search, filters, order and page are in the URL, and
 * an export. If rows can be changed: a form in a dialog to add and change, confirmations before
 * deleting, the selection of several rows, and each row's history. The entity says what to show and send.
 */
export function CrudScreen<Row extends CrudRow, Values extends FieldValues>({
  entity,
}: {
  entity: ListEntity<Row> | CrudEntity<Row, Values>;
}) {
  const { heading, filters } = entity;
  const crud = "schema" in entity ? entity : null;
  const { view, columns, list, selection, setSelection, selected, change, reload, hrefOf } =
    useCrudList(entity);
  const rows = list.data?.rows;
  const [dialog, setDialog] = useState<OpenDialog<Row>>(null);
  const actions = useCrudActions<Row>({ entity, view, reload });
  const { isBusy } = actions.tools;
  const screen = useRowFocus(actions.notice !== null && !actions.isAnyBusy);
  const close = () => setDialog(null);

  function open(next: OpenDialog<Row>) {
    actions.clearNotice();
    setDialog(next);
  }

  async function finishSave(isNew: boolean) {
    // A new row is first in the unfiltered list, and may be missing from any other.
    if (isNew && queryOfView(view) !== "") change(() => ({ search: "", order: null, filters: {} }));
    await actions.afterChange({ text: isNew ? "Ajout effectué." : "Modification enregistrée." });
    close();
  }

  const actionsOf = (row: Row) => (
    <>
      {entity.rowActions?.(row, actions.tools)}
      {crud && (
        <RowButtons
          isBusy={isBusy(row.id)}
          onOpen={(kind) => open({ kind, row })}
          onDelete={() => {
            const remove = () => actions.remove(row);
            open({ kind: "delete", rows: [row], remove });
          }}
        />
      )}
    </>
  );

  return (
    // On a tall screen everything fits, and only the rows scroll.
    <div
      ref={screen}
      className={clsx(
        "flex min-w-0 flex-col gap-5 lg:[@media(min-height:40rem)]:max-h-[calc(100dvh-3rem)] print:max-h-none!",
        (actions.notice || actions.followUp) && BELOW_NOTICE,
      )}
    >
      <CrudHeader
        entity={entity}
        isExporting={actions.isExporting}
        onExport={actions.exportRows}
        addLabel={crud?.addLabel}
        onAdd={() => open({ kind: "add" })}
      >
        {entity.listActions?.(actions.tools)}
      </CrudHeader>
      <CrudFilters
        view={view}
        onChange={change}
        filters={filters}
        columns={columns}
        searchHint={entity.searchHint}
      />
      <CrudNotice {...actions} />
      {selected.length > 0 && (
        <CrudSelection
          selected={selected}
          isBusy={actions.isAnyBusy}
          actions={crud?.bulkActions ?? []}
          onAction={(action) => actions.runAction(selected, action)}
          onDelete={() => {
            const remove = () => actions.removeAll(selected);
            open({ kind: "delete", rows: selected, remove });
          }}
          onClear={() => {
            // The focused button disappears.
            focusList(screen.current);
            setSelection({});
          }}
        />
      )}
      <CrudTable
        caption={heading}
        columns={columns}
        rows={rows}
        placeholder={<Placeholder {...list} reload={reload} emptyText={entity.emptyText} />}
        isPrevious={list.isPrevious}
        isStale={list.isValidating && rows !== undefined && !actions.isAnyBusy}
        order={view.order}
        onOrder={(order) => change(() => ({ order }))}
        selection={selection}
        onSelect={crud ? setSelection : undefined}
        isBusy={isBusy}
        nameOf={entity.nameOf}
        actions={crud || entity.rowActions ? actionsOf : undefined}
      />
      <CrudPaging view={view} data={list.data} hrefOf={hrefOf} onChange={change} />
      {crud && (
        <CrudDialogs
          entity={crud}
          dialog={dialog}
          onSaved={finishSave}
          onReload={reload}
          onClose={close}
        />
      )}
    </div>
  );
}

/** The result of an action, visible wherever the list is scrolled to. */
function CrudNotice({
  notice,
  followUp,
}: Pick<ReturnType<typeof useCrudActions>, "notice" | "followUp">) {
  if (!notice && !followUp) return null;
  return (
    <div className="sticky top-20 z-10 flex max-h-[40dvh] shrink-0 flex-col gap-2 overflow-y-auto rounded-md bg-bg lg:top-4 print:hidden">
      {notice && <Alert kind={notice.kind}>{notice.text}</Alert>}
      {followUp}
    </div>
  );
}

interface CrudHeaderProps {
  entity: Pick<ListEntity<CrudRow>, "heading" | "links">;
  isExporting: boolean;
  onExport: () => void;
  /** Undefined if rows cannot be added. */
  addLabel: string | undefined;
  onAdd: () => void;
  /** The entity's own actions. */
  children: ReactElement | undefined;
}

/** The heading, and the actions on the whole list. */
function CrudHeader({
  entity: { heading, links = [] },
  isExporting,
  onExport,
  addLabel,
  onAdd,
  children,
}: CrudHeaderProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <h1 className="font-semibold text-heading md:text-2xl">{heading}</h1>
      <div className="flex flex-wrap gap-2">
        {links.map(({ href, label }) => (
          <ButtonLink
            key={href}
            href={href}
            variant="secondary"
            className="max-sm:px-2.5 max-sm:text-sm"
          >
            {label}
          </ButtonLink>
        ))}
        {children}
        <Button
          variant="secondary"
          className="max-sm:px-2.5 max-sm:text-sm"
          onClick={onExport}
          busy={isExporting}
          pendingLabel="Export en cours..."
        >
          <Download size={18} aria-hidden="true" />
          Exporter (CSV)
        </Button>
        {addLabel && (
          <Button className="max-sm:px-2.5 max-sm:text-sm" aria-label={addLabel} onClick={onAdd}>
            <PlusIcon />
            Ajouter
          </Button>
        )}
      </div>
    </div>
  );
}

interface PlaceholderProps {
  data: unknown;
  hasFailed: boolean;
  reload: () => void;
  emptyText: string;
}

/** Shown instead of rows. */
function Placeholder({ data, hasFailed, reload, emptyText }: PlaceholderProps) {
  if (!hasFailed) return data ? emptyText : <Spinner label="Chargement" />;
  return (
    <RetryAlert
      message="La liste n’a pas pu être chargée."
      onRetry={reload}
      className="items-center!"
    />
  );
}

interface RowButtonsProps {
  isBusy: boolean;
  onOpen: (kind: "edit" | "history") => void;
  onDelete: () => void;
}

const BusyIcon = () => <Spinner size={18} label="En cours" />;

/** The buttons of every row that can be changed. */
function RowButtons({ isBusy, onOpen, onDelete }: RowButtonsProps) {
  return (
    <>
      <RowButton label="Modifier" Icon={Pencil} onClick={() => onOpen("edit")} />
      <RowButton label="Historique" Icon={History} onClick={() => onOpen("history")} />
      <RowButton
        label="Supprimer"
        Icon={isBusy ? BusyIcon : Trash2}
        disabled={isBusy}
        onClick={onDelete}
        className="hover:text-danger"
      />
    </>
  );
}
