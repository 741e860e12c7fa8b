// Shows the window, asks for two results and prints them and what was painted.
#include "bars.h"
#include <QApplication>
#include <QImage>
#include <QMetaProperty>
#include <QTimer>
#include <cstdio>

int main(int Argc, char **Argv) {
  QApplication App(Argc, Argv);
  Bars Window(1 << 17);
  Window.resize(100, 200);
  QObject::connect(&Window, &Bars::computed, [](double Sum) { std::printf("sum %.17g\n", Sum); });
  Window.show();
  QTimer::singleShot(0, [&] {
    Window.compute(1);
    QMetaObject::invokeMethod(&Window, "compute", Q_ARG(int, 2));
    QImage Image = Window.grab().toImage();
    int Dark = 0;
    for (int Y = 0; Y < Image.height(); ++Y)
      for (int X = 0; X < Image.width(); ++X)
        Dark += qGray(Image.pixel(X, Y)) < 128;
    std::printf("%d of %s, %d dark\n", Window.property("count").toInt(), Window.metaObject()->className(), Dark);
    App.quit();
  });
  return App.exec();
}
