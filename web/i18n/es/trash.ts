import type { Shape } from "../shape.ts";
import type { trash as zh } from "../zh/trash.ts";

/** What was deleted in the explorer and can still come back. */
export const trash: Shape<typeof zh> = {
  title: "Papelera",
  loading: "Cargando…",
  emptyTitle: "La papelera está vacía",
  emptyText: "Los archivos y carpetas eliminados se quedan aquí un tiempo. Puedes restaurarlos donde estaban.",
  room: "Lo que hay en la papelera sigue ocupando espacio en su almacenamiento. Al eliminarlo para siempre, se libera.",
  from: "De {{folder}}",
  left: { one: "queda {{count}} día", many: "quedan {{count}} de días", other: "quedan {{count}} días" },
  leftToday: "queda menos de un día",
  by: "eliminado por {{name}}",
  restore: "Restaurar",
  restoreOne: "Restaurar “{{name}}”",
  restored: "Restaurado en {{path}}",
  remove: "Eliminar para siempre",
  removeOne: "Eliminar “{{name}}” para siempre",
  removeTitle: "¿Eliminar “{{name}}” para siempre?",
  removeText: "Esto no se puede deshacer. Se libera el espacio que ocupa.",
  empty: "Vaciar papelera",
  emptyQuestion: "¿Vaciar la papelera?",
  emptyAll: "Todo lo que cualquiera haya puesto en la papelera se eliminará para siempre. Esto no se puede deshacer.",
  emptyOwn: "Todo lo que has puesto en la papelera se eliminará para siempre. Esto no se puede deshacer.",
  more: "Mostrar más",
};
