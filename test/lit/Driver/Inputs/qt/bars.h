// A window that shows what a kernel computes.
#ifndef BARS_H
#define BARS_H
#include <QVector>
#include <QWidget>

class Bars : public QWidget {
  Q_OBJECT
  Q_PROPERTY(int count READ count)

public:
  explicit Bars(int Count, QWidget *Parent = nullptr);
  int count() const { return Heights.size(); }

public slots:
  void compute(int Factor);

signals:
  void computed(double Sum);

protected:
  void paintEvent(QPaintEvent *Event) override;

private:
  QVector<float> Heights;
};

#endif
