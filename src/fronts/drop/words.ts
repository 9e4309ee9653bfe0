import type { Language } from "#contract/languages";

/** A page of removal. */
export interface Page {
  readonly title: string;
  readonly text: string;
  readonly button?: string;
}

/** What addresses of removal say. */
interface Words {
  readonly ask: Page;
  readonly done: Page;
  /** To programs, which have no button; a command follows. */
  readonly how: string;
}

const words: Readonly<Record<Language, Words>> = {
  en: {
    ask: {
      title: "Delete this share?",
      text: "Its link stops working at once. This cannot be undone.",
      button: "Delete",
    },
    done: { title: "Deleted", text: "The link no longer works." },
    how: "To delete this share, send DELETE:",
  },
  zh: {
    ask: { title: "删除这个分享？", text: "链接会立即失效，且无法恢复。", button: "删除" },
    done: { title: "已删除", text: "链接已失效。" },
    how: "要删除这个分享，请发送 DELETE：",
  },
  ja: {
    ask: {
      title: "この共有を削除しますか？",
      text: "リンクはすぐに使えなくなります。元に戻せません。",
      button: "削除",
    },
    done: { title: "削除しました", text: "リンクはもう使えません。" },
    how: "この共有を削除するには DELETE を送ってください：",
  },
  es: {
    ask: {
      title: "¿Eliminar este contenido?",
      text: "Su enlace deja de funcionar al momento. No se puede deshacer.",
      button: "Eliminar",
    },
    done: { title: "Eliminado", text: "El enlace ya no funciona." },
    how: "Para eliminarlo, envía DELETE:",
  },
  de: {
    ask: {
      title: "Diese Freigabe löschen?",
      text: "Ihr Link funktioniert sofort nicht mehr. Das lässt sich nicht rückgängig machen.",
      button: "Löschen",
    },
    done: { title: "Gelöscht", text: "Der Link funktioniert nicht mehr." },
    how: "Sende DELETE, um diese Freigabe zu löschen:",
  },
  fr: {
    ask: {
      title: "Supprimer ce partage ?",
      text: "Son lien cesse aussitôt de fonctionner. Cette action est irréversible.",
      button: "Supprimer",
    },
    done: { title: "Supprimé", text: "Le lien ne fonctionne plus." },
    how: "Pour supprimer ce partage, envoyez DELETE :",
  },
};

export const wordsOf = (language: Language): Words => words[language];
